import FoundationEssentials
import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("The lists of the Vault") struct VaultListTests {
  static func items(_ count: Int) -> [VaultItem] {
    (0..<count).map { place in
      let tags = place.isMultiple(of: 3) ? ["prod", "eu"] : place.isMultiple(of: 2) ? ["Test"] : []
      let title = "web\(place)"
      return VaultItem(
        .text(title),
        title: title,
        text: "\(title) deploy@10.0.\(place / 250).\(place % 250) \(tags.joined(separator: " "))",
        tags: tags
      )
    }
  }

  static func list(_ count: Int) -> VaultList {
    var list = VaultList()
    list.load(items(count), sortName: "name")
    return list
  }

  static func type(_ text: String, into list: inout VaultList) throws {
    for character in text {
      let name = character == " " ? "space" : String(character)
      #expect(list.handle(try KeyChord(text: name).event, page: 10) == true)
    }
  }

  static func titles(_ list: VaultList) -> [String] { list.matches.map { list.items[$0].title } }

  @Test("letters filter only after the filter was entered, and escape shows everything again")
  func filtering() throws {
    var list = Self.list(30)
    #expect(list.handle(try KeyChord(text: "w").event, page: 10) == false)
    try Self.type("/web12", into: &list)
    #expect(Self.titles(list).first == "web12")
    #expect(list.handle(try KeyChord(text: "enter").event, page: 10) == true)
    #expect(!list.isFiltering)
    #expect(list.isFiltered)
    #expect(list.handle(try KeyChord(text: "escape").event, page: 10) == true)
    #expect(list.matches.count == 30)
    #expect(list.selectedID == .text("web12"))
    #expect(list.handle(try KeyChord(text: "escape").event, page: 10) == false)
  }

  @Test("tag:NAME narrows by the beginning of a tag, in any case, and keeps the order")
  func tags() throws {
    var list = Self.list(30)
    list.apply(.insert("tag:prod"))
    #expect(Self.titles(list) == (0..<10).map { "web\($0 * 3)" })
    list.apply(.insert(" tag:eu web2"))
    #expect(Set(Self.titles(list).prefix(3)) == ["web21", "web24", "web27"])
    list.apply(.clear)
    list.apply(.insert("#te"))
    #expect(
      Self.titles(list) == [
        "web2", "web4", "web8", "web10", "web14", "web16", "web20", "web22", "web26", "web28",
      ]
    )
    list.apply(.clear)
    list.apply(.insert("tag:nothing"))
    #expect(list.matches.isEmpty)
    #expect(list.selected == nil)
    #expect(list.chosen.isEmpty)
  }

  @Test("typing on finds the same as typing everything at once", arguments: [3, 17, 92, 4_711])
  func narrowing(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let letters = Array("abcde0123-. ")
    let items = (0..<400).map { place in
      let text = String((0..<18).map { _ in letters[Int(generator.next() % 12)] })
      return VaultItem(.text("\(place)"), title: text, text: text, tags: [String(text.prefix(2))])
    }
    var slow = VaultList()
    slow.load(items)
    for _ in 0..<30 {
      var query = (0..<(1 + generator.next() % 4)).map { _ in
        String(letters[Int(generator.next() % 12)])
      }.joined()
      if generator.next().isMultiple(of: 3) { query = "tag:" + query }
      var list = slow
      for character in query { list.apply(.insert(String(character))) }
      var once = slow
      once.apply(.insert(query))
      #expect(list.matches == once.matches, "\(query)")
      list.apply(.deleteBackward)
      var shorter = slow
      shorter.apply(.insert(String(query.dropLast())))
      #expect(list.matches == shorter.matches, "\(query) without its last letter")
    }
  }

  @Test("a list loaded anew keeps the chosen and the marked records, and its scrolling")
  func reloading() throws {
    var list = Self.list(100)
    list.select(row: 50)
    #expect(list.window(rows: 10) == 41..<51)
    list.toggleMark(row: 3)
    list.toggleMark(row: 4)
    var items = Self.items(100)
    items.remove(at: 4)
    items.insert(VaultItem(.text("aaa"), title: "aaa", text: "aaa"), at: 0)
    list.load(items, sortName: "name")
    #expect(list.selectedID == .text("web50"))
    #expect(list.chosen == [.text("web3")])
    #expect(list.window(rows: 10) == 41..<51)
    list.load(Array(items.prefix(5)), sortName: "name")
    #expect(list.selectedID == .text("web3"))
    #expect(list.window(rows: 10) == 0..<5)
    list.load([])
    #expect(list.selectedID == nil)
    #expect(list.window(rows: 10).isEmpty)
    #expect(list.marks.isEmpty)
  }

  @Test("space marks and goes on, a range and everything can be marked, escape forgets the marks")
  func marking() throws {
    var list = Self.list(10)
    try Self.type("  ", into: &list)
    #expect(list.marks == [.text("web0"), .text("web1")])
    #expect(list.selection == 2)
    list.mark(through: 5)
    #expect(list.marks.count == 6)
    #expect(list.selection == 5)
    list.toggleAllMarks()
    #expect(list.marks.count == 10)
    list.toggleAllMarks()
    #expect(list.marks.isEmpty)
    list.toggleMark(row: 7)
    #expect(list.chosen == [.text("web7")])
    #expect(list.handle(try KeyChord(text: "escape").event, page: 5) == true)
    #expect(list.chosen == [.text("web5")])
  }

  @Test("marked records come in the order of the list, also those that the filter hides")
  func chosenOrder() {
    var list = Self.list(10)
    for row in [8, 2, 5] { list.toggleMark(row: row) }
    list.apply(.insert("web8"))
    #expect(list.chosen == [.text("web2"), .text("web5"), .text("web8")])
    list.sort(Array((0..<10).reversed()), name: "last used")
    #expect(list.chosen == [.text("web8"), .text("web5"), .text("web2")])
    #expect(list.sortName == "last used")
  }

  @Test("pages and ends stop where the list does, and scrolling moves only as far as needed")
  func moving() throws {
    var list = Self.list(50)
    #expect(list.handle(try KeyChord(text: "page_down").event, page: 20) == true)
    #expect(list.selection == 20)
    #expect(list.window(rows: 20) == 1..<21)
    #expect(list.handle(try KeyChord(text: "k").event, page: 20) == true)
    #expect(list.window(rows: 20) == 1..<21)
    #expect(list.handle(try KeyChord(text: "end").event, page: 20) == true)
    #expect(list.selection == 49)
    #expect(list.handle(try KeyChord(text: "j").event, page: 20) == true)
    #expect(list.selection == 49)
    #expect(list.window(rows: 20) == 30..<50)
    #expect(list.handle(try KeyChord(text: "home").event, page: 20) == true)
    #expect(list.window(rows: 20) == 0..<20)
    #expect(list.window(rows: 0).isEmpty)
  }
}

/// Numbers that are the same in every run.
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
