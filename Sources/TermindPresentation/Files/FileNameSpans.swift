import TermindDomain
import TermindScreen
import TermindUnicode

/// A name as it is drawn: exactly as wide as it may be, with everything that is no plain text as a visible stand-in.
enum FileNameSpans {
  /// The pieces of a name.
  ///
  /// - Parameters:
  ///   - bytes: The name.
  ///   - suffix: What stands behind it, such as the slash of a directory; kept when the name is cut.
  ///   - limit: Most columns.
  ///   - plain: The style of the text.
  ///   - escape: The style of stand-ins.
  /// - Returns: The pieces, in at most that many columns.
  static func spans(
    _ bytes: [UInt8],
    suffix: String = "",
    limit: Int,
    _ plain: ScreenStyle,
    _ escape: ScreenStyle
  ) -> [TextSpan] {
    if bytes.count + suffix.utf8.count <= limit, bytes.allSatisfy({ 0x20..<0x7F ~= $0 }) {
      return edged(String(decoding: bytes, as: UTF8.self), suffix, plain, escape)
    }
    let room = max(limit - suffix.utf8.count, 0)
    var spans: [TextSpan] = []
    var run = ""
    var isEscape = false
    var used = 0
    // What stands where the ellipsis would go; kept only when all of it fits.
    var fitting: (spans: Int, run: String, isEscape: Bool)?
    func close() {
      guard !run.isEmpty else { return }
      spans.append(TextSpan(run, isEscape ? escape : plain))
      run = ""
    }
    for item in DisplayText(bytes: bytes) {
      if used + item.columns > room {
        if let fitting {
          spans.removeLast(spans.count - fitting.spans)
          (run, isEscape) = (fitting.run, fitting.isEscape)
        }
        close()
        spans.append(TextSpan("…", plain))
        return spans + suffixSpan(suffix, plain)
      }
      if item.isEscape != isEscape { close() }
      isEscape = item.isEscape
      if used + item.columns <= room - 1 {
        run += item.text
        fitting = (spans.count, run, isEscape)
      } else {
        if fitting == nil { fitting = (spans.count, run, isEscape) }
        run += item.text
      }
      used += item.columns
    }
    close()
    return spans + suffixSpan(suffix, plain)
  }

  /// Plain text, with blanks at its ends made visible: a trailing blank is part of the name.
  private static func edged(
    _ text: String,
    _ suffix: String,
    _ plain: ScreenStyle,
    _ escape: ScreenStyle
  ) -> [TextSpan] {
    guard text.hasPrefix(" ") || text.hasSuffix(" ") else {
      return [TextSpan(text + suffix, plain)]
    }
    let front = text.prefix { $0 == " " }
    let rest = text.dropFirst(front.count)
    let back = String(rest.reversed().prefix { $0 == " " })
    let middle = String(rest.dropLast(back.count))
    let spans = [
      TextSpan(String(repeating: "·", count: front.count), escape), TextSpan(middle, plain),
      TextSpan(String(repeating: "·", count: back.count), escape), TextSpan(suffix, plain),
    ]
    return spans.filter { !$0.text.isEmpty }
  }

  private static func suffixSpan(_ suffix: String, _ style: ScreenStyle) -> [TextSpan] {
    suffix.isEmpty ? [] : [TextSpan(suffix, style)]
  }
}
