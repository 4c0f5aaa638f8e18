import FoundationEssentials
import TermindApplication
import TermindDomain

extension HostKeySheet {
  struct Line {
    var text: String
    var ink = Ink.text
    var isBold = false
  }

  /// Whether the key differs from the known one, so that a word has to be typed.
  public var isAboutChange: Bool { question.isChanged }

  /// What is said of the key, for a terminal without a sheet.
  public func plainLines(width: Int) -> [String] { content(width: width).map(\.text) }

  /// `web1`, or `bastion (hop 1 of 2: 10.0.0.5:22)` on a way with jump hosts.
  public var title: String {
    let context = question.context
    let endpoint = context.hop.endpoint
    let place = "\(endpoint.host):\(endpoint.port)"
    guard context.count > 1 else { return ErrorText.plain(place) }
    return ErrorText.plain("hop \(context.index + 1) of \(context.count): \(place)")
  }

  /// The lines above the buttons or the field, wrapped to a width.
  func content(width: Int) -> [Line] {
    switch question.doubt {
    case .unknown: return newHost(width)
    case .newType(let known): return newType(known, width)
    case .changed(let known): return changed(known, width)
    }
  }

  /// What is said of a certificate authority that is of no use here.
  private func authority(_ width: Int) -> [Line] {
    guard question.hasUnusedAuthority else { return [] }
    return wrapped(
      "A certificate authority is known for it. Checking host certificates needs the OpenSSH engine: "
        + "set the host's engine to it.",
      width
    )
  }

  /// The same in as few lines as can be, for windows that cannot hold the whole text.
  func compactContent(width: Int) -> [Line] {
    switch question.doubt {
    case .unknown:
      wrapped("This host is new.", width, isBold: true) + keys([], width, notes: false)
        + wrapped("Compare the fingerprint first.", width)
    case .newType:
      wrapped("A key of another type.", width, .warning, isBold: true)
        + keys([], width, notes: false)
        + wrapped("Compare the fingerprint first.", width)
    case .changed(let known):
      wrapped("THE HOST KEY HAS CHANGED.", width, .danger, isBold: true)
        + keys(Array(known.prefix(1)), width, notes: false)
        + wrapped("To trust it, type ‘\(Self.replaceWord)’.", width)
    }
  }

  private func newHost(_ width: Int) -> [Line] {
    wrapped("This host is new.", width, isBold: true)
      + wrapped("Nobody has connected to it from here before, so its key cannot be checked.", width)
      + authority(width)
      + keys([], width)
      + wrapped(
        "Compare the fingerprint with one that its owner gave you before you trust it.",
        width
      )
      + [Line(text: "")]
  }

  private func newType(_ known: [KnownKeySummary], _ width: Int) -> [Line] {
    wrapped("This host offers a key of another type.", width, .warning, isBold: true)
      + wrapped(
        "Its known keys are not contradicted, but they do not vouch for this one. A server gets new "
          + "types by an upgrade; someone in between would offer one, too.",
        width
      )
      + authority(width)
      + keys(known, width)
      + wrapped(
        "Compare the fingerprint with one that its owner gave you before you trust it.",
        width
      )
      + [Line(text: "")]
  }

  private func changed(_ known: [KnownKeySummary], _ width: Int) -> [Line] {
    wrapped("THE HOST KEY HAS CHANGED.", width, .danger, isBold: true)
      + wrapped("Someone may be listening in, or the server was reinstalled.", width)
      + authority(width)
      + keys(known, width)
      + wrapped(
        "The connection is stopped. To trust the new key, type ‘\(Self.replaceWord)’ and press enter.",
        width
      )
  }

  private func wrapped(
    _ text: String,
    _ width: Int,
    _ ink: Ink = .text,
    isBold: Bool = false
  ) -> [Line] {
    TextLine.wrapped(text, width).map { Line(text: $0, ink: ink, isBold: isBold) }
  }

  /// The known keys and the offered one below each other, so that they can be compared.
  private func keys(_ known: [KnownKeySummary], _ width: Int, notes: Bool = true) -> [Line] {
    var rows: [(label: String, type: String, fingerprint: String, note: String)] = []
    for key in known.prefix(4) {
      var note = key.since.map { "since \(Self.day($0))" } ?? ""
      if key.source.contains("/") { note += (note.isEmpty ? "" : ", ") + "in \(key.source)" }
      rows.append(("known", KeyTypeName.short(key.type), key.fingerprint, note))
    }
    rows.append(
      ("offered", KeyTypeName.short(question.key.type), question.key.fingerprint, "")
    )
    let typeColumns = rows.map(\.type.count).max() ?? 0
    var lines: [Line] = []
    for row in rows {
      let label = row.label + String(repeating: " ", count: 7 - row.label.count)
      let type = row.type + String(repeating: " ", count: typeColumns - row.type.count)
      let start = "  \(label)  \(type)  "
      let fingerprint = ErrorText.plain(row.fingerprint)
      let ink: Ink = row.label == "offered" ? .accent : .text
      let note = row.note.isEmpty || !notes ? "" : "  " + ErrorText.plain(row.note)
      if TextLine.columns(start + fingerprint + note) <= width {
        lines.append(Line(text: start + fingerprint + note, ink: ink))
        continue
      }
      // A fingerprint is never cut: what is not compared whole is not compared.
      if TextLine.columns(start + fingerprint) <= width {
        lines.append(Line(text: start + fingerprint, ink: ink))
      } else {
        lines.append(Line(text: "  \(label)  \(row.type)", ink: ink))
        lines += TextLine.wrapped(fingerprint, width - 4).map { Line(text: "    " + $0, ink: ink) }
      }
      if !note.isEmpty {
        lines += TextLine.wrapped(ErrorText.plain(row.note), width - 4).map {
          Line(text: "    " + $0, ink: .dim)
        }
      }
    }
    if known.count > 4 { lines.append(Line(text: "  and \(known.count - 4) more", ink: .dim)) }
    return lines
  }

  /// `2025-03-02`, in UTC.
  static func day(_ seconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601.year().month().day())
  }
}
