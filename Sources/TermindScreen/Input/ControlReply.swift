/// The answers and reports that come as control sequences.
enum ControlReply {
  static func parse(_ parameters: SequenceParameters) -> InputEvent? {
    switch (parameters.prefix, parameters.intermediates, parameters.final) {
    case (0x3F, [], 0x63): return .reply(.primaryAttributes(parameters.numbers))
    case (0x3E, [], 0x63): return .reply(.secondaryAttributes(parameters.numbers))
    case (0x3F, [], 0x75): return .reply(.keyboardFlags(parameters.number(0, default: 0)))
    case (0x3F, [0x24], 0x79):
      guard let state = ModeState(rawValue: parameters.number(1, default: 0)) else { return nil }
      return .reply(.mode(parameters.number(0, default: 0), state))
    case (0x3F, [], 0x6E) where parameters.number(0) == 997:
      return .colorScheme(dark: parameters.number(1) == 1)
    case (0x3F, [], 0x52):
      return .reply(
        .cursorPosition(row: parameters.number(0) - 1, column: parameters.number(1) - 1)
      )
    case (0, [], 0x74): return size(parameters)
    default: return nil
    }
  }

  /// Mode 2048 reports `CSI 48 ; rows ; columns ; height ; width t`; CSI 18 t is answered with an 8.
  private static func size(_ parameters: SequenceParameters) -> InputEvent? {
    let kind = parameters.number(0)
    guard kind == 48 || kind == 8, parameters.groups.count >= 3 else { return nil }
    return .reply(
      .size(
        ScreenSize(
          rows: parameters.number(1, default: 0),
          columns: parameters.number(2, default: 0),
          pixelWidth: parameters.number(4, default: 0),
          pixelHeight: parameters.number(3, default: 0)
        )
      )
    )
  }
}
