import TermindDomain
import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("Filtered lists") struct ListTests {
  private func key(_ name: String) throws -> KeyEvent { try KeyChord(text: name).event }

  @Test("typing filters and chooses the best match")
  func typing() throws {
    var list = FilteredList(["alpha", "beta", "web1", "web2"], selected: 1)
    #expect(list.selected == 1)
    for name in ["w", "2"] { #expect(list.handle(try key(name))) }
    #expect(list.matches == [3])
    #expect(list.selected == 3)
    #expect(list.handle(try key("ctrl+u")))
    #expect(list.matches == [0, 1, 2, 3])
    #expect(list.handle(try key("z")))
    #expect(list.selected == nil)
  }

  @Test("arrows and pages move and stop at the ends")
  func moving() throws {
    var list = FilteredList((0..<30).map { "entry \($0)" })
    #expect(list.handle(try key("up")))
    #expect(list.selection == 0)
    #expect(list.handle(try key("page_down"), page: 7))
    #expect(list.selection == 7)
    #expect(list.handle(try key("ctrl+n")))
    #expect(list.selection == 8)
    #expect(list.handle(try key("ctrl+end")))
    #expect(list.selection == 29)
    #expect(list.window(rows: 10) == 20..<30)
    list.select(row: 12)
    #expect(list.window(rows: 10) == 7..<17)
    #expect(list.window(rows: 0).isEmpty)
    let wasMeant = list.handle(try key("enter"))
    #expect(!wasMeant)
  }

  @Test("every binding is found by its key, its words and its name")
  func keysHelp() throws {
    let help = KeysHelp(KeymapLibrary.standard)
    #expect(help.bindings.count == KeymapLibrary.standard.bindings.count)
    for query in ["even columns", "layout:even_columns", "ctrl+space a c"] {
      var list = help.list
      list.apply(.insert(query))
      let first = try #require(list.selected)
      #expect(help.bindings[first].action == .layout(.evenColumns), "\(query)")
    }
  }

  @Test("the palette lists actions that no key is bound to, with their keys when they are")
  func palette() throws {
    let palette = ActionPalette(KeymapLibrary.standard)
    #expect(palette.actions.contains(.focusPrevious))
    #expect(palette.actions.contains(.resize(.left, cells: 1)))
    #expect(palette.actions.contains(.layout(.tiled)))
    #expect(Set(palette.actions).count == palette.actions.count)
    let place = try #require(palette.actions.firstIndex(of: .zoom))
    #expect(palette.row(place).trailing == "ctrl+space z")
  }

  @Test("a prefix narrows to its scope; without one everything is found")
  func scopes() {
    var list = FilteredList(
      [
        FilteredList.Item("web1", scope: "@"), FilteredList.Item("web search", scope: ">"),
        FilteredList.Item("db1", scope: "@"), FilteredList.Item("web note"),
      ],
      scopes: [FilterScope("@", "hosts"), FilterScope(">", "actions")]
    )
    list.apply(.insert("web"))
    #expect(Set(list.matches) == [0, 1, 3])
    list.apply(.clear)
    list.apply(.insert("@"))
    #expect(list.matches == [0, 2])
    #expect(list.scope?.label == "hosts")
    list.apply(.insert("web"))
    #expect(list.matches == [0])
    #expect(list.pattern == "web")
    list.apply(.clear)
    list.apply(.insert("#web"))
    #expect(list.scope == nil)
    #expect(list.matches.isEmpty)
  }

  @Test("a bonus decides between entries that match alike, and the order while nothing is typed")
  func bonuses() {
    var list = FilteredList([
      FilteredList.Item("web1"), FilteredList.Item("web2", bonus: 50),
      FilteredList.Item("cobweb", bonus: 50),
    ])
    #expect(list.matches == [1, 2, 0])
    list.apply(.insert("web"))
    #expect(list.matches == [1, 0, 2])
  }

  @Test("a fallback stands last while its rule allows it, and is no match")
  func fallback() {
    var list = FilteredList(
      ["web1", "web2", ""].map { FilteredList.Item($0, scope: ">") },
      scopes: [FilterScope("@", "hosts"), FilterScope(">", "actions")],
      fallback: FilteredList.Fallback(place: 2, scope: "@") { !$0.isEmpty && !$0.contains(" ") }
    )
    #expect(list.matches == [0, 1])
    #expect(list.count == 2)
    for (typed, matches, count) in [
      ("web", [0, 1, 2], 2), ("zzz", [2], 0), ("a b", [], 0), (">web", [0, 1], 2), ("@web", [2], 0),
    ] {
      list.apply(.clear)
      list.apply(.insert(typed))
      #expect(list.matches == matches, "\(typed)")
      #expect(list.matchCount == count, "\(typed)")
    }
  }
}
