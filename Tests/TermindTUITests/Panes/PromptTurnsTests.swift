import TermindDomain
import Testing

@testable import TermindTUI

@Suite("Panes that ask one after another") @MainActor struct PromptTurnsTests {
  private let turns = PromptTurns()
  private let panes = (1...3).map { PaneID(rawValue: $0) }

  private func ask(_ place: Int) { turns.update(panes[place], asks: true, isOpening: true) }
  private func answer(_ place: Int) { turns.update(panes[place], asks: false, isOpening: true) }
  private func end(_ place: Int) { turns.update(panes[place], asks: false, isOpening: false) }

  @Test("the first that asks has the turn until its attempt is over, then the next in order")
  func order() {
    var passes: [PaneID] = []
    turns.onPass = { _, next in passes.append(next) }
    ask(1)
    ask(0)
    ask(2)
    #expect(turns.holder == panes[1])
    // A password, then a code: both are one turn.
    answer(1)
    #expect(turns.holder == panes[1])
    ask(1)
    #expect(turns.holder == panes[1])
    end(1)
    #expect(turns.holder == panes[0])
    end(0)
    #expect(turns.holder == panes[2])
    end(2)
    #expect(turns.holder == nil)
    #expect(passes == [panes[1], panes[0], panes[2]])
  }

  @Test("an end of one that waits changes nothing but the order")
  func leaving() {
    ask(0)
    ask(1)
    ask(2)
    end(1)
    #expect(turns.holder == panes[0])
    end(0)
    #expect(turns.holder == panes[2])
  }

  @Test("the pane that the person goes to asks at once; one without a question does not")
  func preferred() {
    ask(0)
    ask(1)
    turns.prefer(panes[2])
    #expect(turns.holder == panes[0])
    turns.prefer(panes[1])
    #expect(turns.holder == panes[1])
    end(1)
    #expect(turns.holder == panes[0])
  }

  @Test("one that never asks never takes the turn")
  func silent() {
    end(0)
    #expect(turns.holder == nil)
    ask(1)
    end(0)
    #expect(turns.holder == panes[1])
  }
}
