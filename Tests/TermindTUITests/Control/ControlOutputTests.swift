import TermindDomain
import Testing

@testable import TermindTUI

@Suite("Output of ctl") @MainActor struct ControlOutputTests {
  private let window = ControlWindow(
    id: WindowID(rawValue: 1),
    name: "main\u{1B}]0;x\u{7}",
    attached: true,
    active: true,
    rows: 24,
    columns: 80,
    workspaces: [WorkspaceID(rawValue: 2)]
  )
  private let pane = ControlPane(
    id: PaneID(rawValue: 3),
    workspace: WorkspaceID(rawValue: 2),
    window: WindowID(rawValue: 1),
    kind: "ssh",
    title: "a/b \u{9B}31m",
    state: .up,
    host: "web1",
    focused: true,
    rows: 10,
    columns: 40
  )

  @Test("lists are arrays of objects, absent fields left out")
  func json() {
    #expect(
      ControlOutput.json(.panes([pane])) == """
        [{"columns":40,"focused":true,"host":"web1","id":3,"kind":"ssh","rows":10,"state":"up",\
        "title":"a/b \\u009b31m","window":1,"workspace":2}]

        """
    )
    #expect(ControlOutput.json(.windows([])) == "[]\n")
    #expect(ControlOutput.json(.done) == "{\"ok\":true}\n")
    #expect(ControlOutput.json(.text("a\n")) == "{\"text\":\"a\\n\"}\n")
    #expect(
      ControlOutput.json(.failed(ControlError(.notFound, "There is no pane 9.")))
        == "{\"error\":{\"code\":\"not-found\",\"message\":\"There is no pane 9.\"}}\n"
    )
  }

  @Test("names never reach a terminal as control characters")
  func text() {
    let line = ControlOutput.text(.windows([window]))
    #expect(line.hasPrefix("1\tattached\t80x24\t1 workspaces\tmain"))
    #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\t" || $0 == "\n" })
    let row = ControlOutput.text(.panes([pane]))
    #expect(row.unicodeScalars.allSatisfy { !(0x7F...0x9F).contains($0.value) })
  }

  @Test("new panes are named by their ids")
  func created() {
    let made = ControlCreated(
      window: WindowID(rawValue: 1),
      workspace: WorkspaceID(rawValue: 2),
      panes: [PaneID(rawValue: 3), PaneID(rawValue: 4)]
    )
    #expect(ControlOutput.text(.created(made)) == "3\n4\n")
  }
}
