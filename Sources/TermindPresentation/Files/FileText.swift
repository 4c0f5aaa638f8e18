public import TermindDomain

/// Sizes and times of files in the few columns of a list.
public enum FileText {
  /// A size in at most six columns: `12`, `8.1 K`, `412 K`, `1.2 M`.
  public static func size(_ bytes: UInt64) -> String {
    guard bytes >= 1_000 else { return String(bytes) }
    let units = ["K", "M", "G", "T", "P", "E"]
    var unit = 0
    // In tenths, rounded up, as `ls -h` does: what does not fit into 1 K is no 1 K.
    var divisor: UInt64 = 1_024
    while unit + 1 < units.count, bytes / divisor >= 1_000 {
      divisor &*= 1_024
      unit += 1
    }
    let (whole, rest) = bytes.quotientAndRemainder(dividingBy: divisor)
    let tenths = (rest / (divisor / 1_024) * 10 + 1_023) / 1_024
    if whole < 10, whole * 10 + tenths < 100 {
      let all = whole * 10 + tenths
      return "\(all / 10).\(all % 10) \(units[unit])"
    }
    return "\(whole + (rest > 0 ? 1 : 0)) \(units[unit])"
  }

  /// A size with its bytes: `8.1 K (8,294 bytes)`.
  public static func exactSize(_ bytes: UInt64) -> String {
    bytes < 1_000 ? count(bytes, "byte") : "\(size(bytes)) (\(count(bytes, "byte")))"
  }

  /// A size in a sentence, where a bare number would not tell what it counts: `6 B`, `8.1 K`.
  public static func amount(_ bytes: UInt64) -> String {
    bytes < 1_000 ? "\(bytes) B" : size(bytes)
  }

  /// A number of things with its thousands apart: `1,204 files`.
  public static func count(_ number: UInt64, _ thing: String, _ things: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? thing : things ?? thing + "s")"
  }

  /// A number with its thousands apart.
  public static func grouped(_ number: UInt64) -> String {
    var result = ""
    for (place, digit) in String(number).reversed().enumerated() {
      if place > 0, place % 3 == 0 { result.append(",") }
      result.append(digit)
    }
    return String(result.reversed())
  }

  /// A moment in twelve columns, as `ls -l` has it: `Nov 30 09:40` in the present year, else `Jan  1  2049`.
  public static func time(
    year: Int,
    month: Int,
    day: Int,
    hour: Int,
    minute: Int,
    thisYear: Int
  ) -> String {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let name = months.indices.contains(month - 1) ? months[month - 1] : "???"
    let start = "\(name) \(padded(day, " "))"
    if year == thisYear { return "\(start) \(padded(hour, "0")):\(padded(minute, "0"))" }
    let text = String(year)
    return "\(start) " + String(repeating: " ", count: max(5 - text.count, 0)) + text
  }

  private static func padded(_ number: Int, _ filler: String) -> String {
    number < 10 ? filler + String(number) : String(number)
  }

  /// What an entry is, in a word or two.
  public static func kind(_ kind: FileKind) -> String {
    switch kind {
    case .regular: "file"
    case .directory: "directory"
    case .symbolicLink: "symbolic link"
    case .pipe: "named pipe"
    case .socket: "socket"
    case .characterDevice: "character device"
    case .blockDevice: "block device"
    case .unknown: "unknown"
    }
  }

  /// What stands for a blank at an end of a name.
  static let blank = "⟨20⟩"

  /// How many blanks a name begins and ends with, and what is between them.
  static func edges(of bytes: [UInt8]) -> (front: Int, middle: [UInt8], back: Int) {
    let front = bytes.prefix { $0 == 0x20 }.count
    let rest = bytes.dropFirst(front)
    let back = rest.reversed().prefix { $0 == 0x20 }.count
    return (front, Array(rest.dropLast(back)), back)
  }

  /// A name with the blanks at its ends made visible, where names are compared by eye.
  public static func exact(_ name: FileName) -> String {
    let (front, middle, back) = edges(of: name.bytes)
    return String(repeating: blank, count: front) + PathText.safe(middle[...])
      + String(repeating: blank, count: back)
  }

  /// Names in a sentence: one by itself, several by their number.
  public static func names(_ names: [FileName]) -> String {
    names.count == 1
      ? PathText.safe(names[0].bytes[...])
      : count(UInt64(names.count), "entry", "entries")
  }
}
