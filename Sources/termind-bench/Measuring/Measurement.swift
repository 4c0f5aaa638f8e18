import FoundationEssentials

/// One row: ours and the peer's figure, each the median of its runs.
struct Measurement: Encodable {
  let caseName: String
  let name: String
  let ours: Double
  let peer: Double?
  let peerName: String?
  let unit: String
  let budget: Budget?
  let runs: Int

  /// Ours divided by the peer's; nil without a peer, or where the peer's is 0.
  var ratio: Double? {
    guard let peer, peer > 0 else { return nil }
    return ours / peer
  }

  /// Whether the budget is kept; nil where there is none.
  var isWithinBudget: Bool? { budget?.isKept(ours: ours, ratio: ratio) }

  private enum Key: String, CodingKey {
    case caseName = "case"
    case name, ours, peer
    case peerName = "peer_name"
    case unit, ratio, budget
    case isWithinBudget = "within_budget"
    case runs
  }

  /// Every field is always there; what is not known is null.
  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(caseName, forKey: .caseName)
    try values.encode(name, forKey: .name)
    try values.encode(ours.rounded(digits: 4), forKey: .ours)
    try values.encode(peer?.rounded(digits: 4), forKey: .peer)
    try values.encode(peerName, forKey: .peerName)
    try values.encode(unit, forKey: .unit)
    try values.encode(ratio?.rounded(digits: 4), forKey: .ratio)
    try values.encode(budget?.text, forKey: .budget)
    try values.encode(isWithinBudget, forKey: .isWithinBudget)
    try values.encode(runs, forKey: .runs)
  }

  /// The row as one line of JSON.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // The values are finite numbers, texts and truth values, which always encode.
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }

  /// The titles of the columns of `row`.
  static let heading =
    "case".padded(to: 12) + "measurement".padded(to: 34) + "ours".leftPadded(to: 10)
    + "peer".leftPadded(to: 10) + " " + "unit".padded(to: 8) + "ratio".leftPadded(to: 8) + "  "
    + "budget".padded(to: 16) + "kept".padded(to: 6) + "runs".leftPadded(to: 5) + "  peer\n"

  /// The row for a person.
  var row: String {
    let kept = isWithinBudget.map { $0 ? "yes" : "NO" } ?? "-"
    return caseName.padded(to: 12) + name.padded(to: 34) + ours.short.leftPadded(to: 10)
      + (peer?.short ?? "-").leftPadded(to: 10) + " " + unit.padded(to: 8)
      + (ratio?.short ?? "-").leftPadded(to: 8) + "  " + (budget?.text ?? "-").padded(to: 16)
      + kept.padded(to: 6) + "\(runs)".leftPadded(to: 5) + "  " + (peerName ?? "-")
  }
}
