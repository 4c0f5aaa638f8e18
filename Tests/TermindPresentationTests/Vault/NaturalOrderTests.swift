import Testing

@testable import TermindPresentation

@Suite("Names in the order in which people read them") struct NaturalOrderTests {
  @Test("numbers sort by value, letters of both cases together")
  func order() {
    let names = [
      "web10", "Web2", "web1", "web", "db", "10.0.0.9", "10.0.0.10", "web02", "Ärger", "web2b",
    ]
    #expect(
      NaturalOrder.places(names).map { names[$0] } == [
        "10.0.0.9", "10.0.0.10", "db", "web", "web1", "Web2", "web02", "web2b", "web10", "Ärger",
      ]
    )
  }

  @Test(
    "numbers of any length compare",
    arguments: ["", "0", "000", String(repeating: "9", count: 400)]
  )
  func extremes(name: String) {
    #expect(NaturalOrder.places([name, "a"]).count == 2)
    #expect(NaturalOrder.places(["1" + name + "x", name]).count == 2)
  }
}
