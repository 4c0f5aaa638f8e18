/// The addresses of hyperlinks, by number from 1.
///
/// The oldest are forgotten when there are too many; cells that refer to a forgotten one show no link.
struct LinkTable {
  private static let mostLinks = 16_384
  private static let mostBytes = 4 << 20
  /// Longest address that is taken.
  static let longest = 2_083

  private struct Link: Hashable {
    let id: [UInt8]
    let address: String
  }

  private var links: [Link?] = []
  private var numbers: [Link: UInt32] = [:]
  /// Number of the first entry of `links`.
  private var first: UInt32 = 1
  private var head = 0
  private var bytes = 0

  subscript(number: UInt32) -> String? {
    guard number >= first + UInt32(head) else { return nil }
    let place = Int(number - first)
    return place < links.count ? links[place]?.address : nil
  }

  /// The number of a link; the same id and address give the same number.
  mutating func intern(id: [UInt8], address: String) -> UInt32 {
    let link = Link(id: id, address: address)
    if !id.isEmpty, let known = numbers[link] { return known }
    if let last = links.last, last == link { return first + UInt32(links.count - 1) }
    if first > UInt32.max - 2 * UInt32(Self.mostLinks) { self = LinkTable() }
    links.append(link)
    let number = first + UInt32(links.count - 1)
    numbers[link] = number
    bytes += id.count + address.utf8.count + 64
    while links.count - head > Self.mostLinks || bytes > Self.mostBytes, head < links.count - 1 {
      forgetOldest()
    }
    return number
  }

  private mutating func forgetOldest() {
    if let old = links[head] {
      bytes -= old.id.count + old.address.utf8.count + 64
      if numbers[old] == first + UInt32(head) { numbers[old] = nil }
    }
    links[head] = nil
    head += 1
    if head > 4_096, head * 2 > links.count {
      links.removeFirst(head)
      first += UInt32(head)
      head = 0
    }
  }
}
