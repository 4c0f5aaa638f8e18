import Testing

@testable import TermindPresentation

@Suite("Fuzzy filter") struct FuzzyScorerTests {
  private func best(_ query: String, _ texts: [String]) -> [String] {
    FuzzyIndex(texts).matches(query).places.map { texts[$0] }
  }

  @Test("whole text, prefix, start of a word, initials, inside, scattered: in this order")
  func order() {
    let texts = ["wxexb", "cobweb", "w-e-b", "prod web", "webserver", "web"]
    #expect(best("web", texts) == ["web", "webserver", "prod web", "w-e-b", "cobweb", "wxexb"])
  }

  @Test("scattered letters match in order only")
  func subsequence() {
    #expect(best("nsr", ["new_split:right", "right"]) == ["new_split:right"])
    #expect(best("rsn", ["new_split:right"]).isEmpty)
    #expect(best("webb", ["web"]).isEmpty)
  }

  @Test("letters at the start of words beat letters inside")
  func wordStarts() {
    #expect(best("db1", ["adobe1", "prod-db 1"]).first == "prod-db 1")
    #expect(best("gv", ["logview", "goVault"]).first == "goVault")
  }

  @Test("several words stand in any order, and all of them must be there")
  func words() {
    let texts = ["web1 deploy@10.0.0.11 prod eu", "web2 deploy@10.0.0.12 test eu"]
    #expect(best("prod web", texts) == [texts[0]])
    #expect(best("eu deploy", texts) == texts)
    #expect(best("web3 test", texts).isEmpty)
  }

  @Test("case does not matter, and other alphabets work")
  func cases() {
    #expect(best("WEB", ["web"]) == ["web"])
    #expect(best("мос", ["Москва"]) == ["Москва"])
    #expect(best("東京", ["host 東京 1"]) == ["host 東京 1"])
    #expect(best("straße", ["STRASSE", "Straße"]) == ["Straße"])
  }

  @Test("nothing typed keeps everything in its order")
  func empty() {
    #expect(best("  ", ["b", "a"]) == ["b", "a"])
    #expect(FuzzyIndex([]).matches("a").total == 0)
    #expect(best("a", [""]).isEmpty)
  }

  @Test("a limit cuts the list, not the count")
  func limit() {
    let found = FuzzyIndex(Array(repeating: "web", count: 50)).matches("w", limit: 5)
    #expect(found.places == [0, 1, 2, 3, 4])
    #expect(found.total == 50)
  }

  @Test("the points and the bonus decide, also below nothing, and the place between equals")
  func ranking() {
    let long = String(repeating: "-", count: 9_000)
    let texts = ["a web", "web" + long, "cobweb", "web", "web" + long + "-", "xw-e-b", "web"]
    let bonuses = [0, 0, 700, 0, 0, -5_000, 0]
    let index = FuzzyIndex(texts.map(FuzzyEntry.init), bonuses: bonuses)
    let scorer = FuzzyScorer("web")
    let scores = zip(texts, bonuses).map { (scorer.score(FuzzyEntry($0)) ?? .min) + $1 }
    let expected = texts.indices.sorted { (scores[$1], $0) < (scores[$0], $1) }
    #expect(scores.contains { $0 < 0 })
    #expect(index.matches("web").places == expected)
    #expect(expected.prefix(3) == [3, 6, 2])
  }
}
