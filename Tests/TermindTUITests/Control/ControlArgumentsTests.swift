import TermindDomain
import Testing

@testable import TermindTUI

@Suite("Arguments of ctl") struct ControlArgumentsTests {
  private static let pane = ControlTarget.pane(PaneID(rawValue: 4))

  @Test(
    "every verb is understood",
    arguments: [
      ("windows", ControlRequest(.windows)),
      (
        "workspaces --window 2", ControlRequest(.workspaces, target: .window(WindowID(rawValue: 2)))
      ),
      ("panes --workspace=3", ControlRequest(.panes, target: .workspace(WorkspaceID(rawValue: 3)))),
      ("new-workspace --name build", ControlRequest(.newWorkspace(name: "build"))),
      ("new-workspace", ControlRequest(.newWorkspace(name: nil))),
      (
        "open web1 --sftp", ControlRequest(.open(OpenRequest(hosts: ["web1"], showsFiles: true)))
      ),
      ("open web1 a@b:22", ControlRequest(.open(OpenRequest(hosts: ["web1", "a@b:22"])))),
      (
        "open --tag db --tag web --layout rows --workspace Mine --window 2",
        ControlRequest(
          .open(OpenRequest(hosts: [], tags: ["db", "web"], layout: .evenRows, name: "Mine")),
          target: .window(WindowID(rawValue: 2))
        )
      ),
      ("split --right", ControlRequest(.split(.right, command: []))),
      (
        "split --pane 4 --down -- top -d --json",
        ControlRequest(.split(.down, command: ["top", "-d", "--json"]), target: pane)
      ),
      ("focus --pane 4", ControlRequest(.focus(.target), target: pane)),
      ("focus --left", ControlRequest(.focus(.direction(.left)))),
      ("focus --last", ControlRequest(.focus(.last))),
      ("zoom", ControlRequest(.zoom(nil))),
      ("zoom --off --pane 4", ControlRequest(.zoom(false), target: pane)),
      ("resize --up --by 5", ControlRequest(.resize(.up, cells: 5))),
      ("resize --left", ControlRequest(.resize(.left, cells: 1))),
      ("send-text --text=--json", ControlRequest(.sendText("--json"))),
      ("send-keys ctrl+c enter", ControlRequest(.sendKeys(["ctrl+c", "enter"]))),
      ("send-keys -- -", ControlRequest(.sendKeys(["-"]))),
      ("capture --scrollback --ansi", ControlRequest(.capture(scrollback: true, ansi: true))),
      ("wait --text a.b --timeout 1.5", ControlRequest(.wait(.text("a.b"), timeoutSeconds: 1.5))),
      ("wait --state ended", ControlRequest(.wait(.state(.ended), timeoutSeconds: 30))),
      ("rename --pane 4 new", ControlRequest(.rename("new"), target: pane)),
      ("close-pane --pane 4", ControlRequest(.closePane, target: pane)),
      ("close-workspace", ControlRequest(.closeWorkspace(force: false))),
      (
        "close-window --window 1",
        ControlRequest(.closeWindow(force: false), target: .window(WindowID(rawValue: 1)))
      ),
      ("move-workspace --to 2", ControlRequest(.moveWorkspace(to: WindowID(rawValue: 2)))),
      ("detach", ControlRequest(.detach)),
      ("quit --force", ControlRequest(.quit(force: true))),
    ] as [(String, ControlRequest)]
  )
  func verbs(line: String, expected: ControlRequest) throws {
    let words = line.split(separator: " ").map(String.init)
    let found = try ControlArguments(words[...])
    #expect(found.request == expected)
    #expect(!found.isJSON)
    let withJSON = try ControlArguments([words[0], "--json"] + words[1...])
    #expect(withJSON.request == expected)
    #expect(withJSON.isJSON)
  }

  @Test(
    "what cannot be understood is named",
    arguments: [
      ("frob", "unknown verb 'frob'"),
      ("--json windows", "ctl needs its verb before '--json'"),
      ("quit --pane 1", "quit has no option '--pane'"),
      ("open web1 --pane 1 --window 2", "only one of --pane, --workspace and --window"),
      ("windows more", "windows does not take 'more'"),
      ("split", "split needs one of --right, --down"),
      ("split --right --down", "split needs one of --right, --down"),
      ("split --left", "split has no option '--left'"),
      ("focus", "focus needs an id, or where to go"),
      ("focus --left --last", "focus goes one way only"),
      ("zoom --on --off", "zoom takes --on or --off, not both"),
      ("zoom --on=yes", "--on takes no value"),
      ("resize --up --by 0", "--by needs a number from 1 to 1000, not '0'"),
      ("send-text", "send-text needs --text"),
      ("send-keys", "send-keys needs a key"),
      ("wait", "wait needs either --text or --state"),
      ("wait --text a --state up", "wait needs either --text or --state"),
      ("wait --state happy", "unknown state 'happy'"),
      ("wait --text a --timeout -1", "--timeout needs seconds from 0 to 86400, not '-1'"),
      ("wait --text a --timeout nan", "--timeout needs seconds from 0 to 86400, not 'nan'"),
      ("rename", "rename needs a name"),
      ("rename a b", "rename does not take 'b'"),
      ("move-workspace", "move-workspace needs --to"),
      ("move-workspace --to x", "--to needs the number of a window, not 'x'"),
      ("panes --window", "--window needs a value"),
      ("panes --window 0", "--window needs a number from 1 to 4294967295, not '0'"),
      ("capture --pane 1 --window 2", "only one of --pane, --workspace and --window can be given"),
      ("quit --Force", "quit has no option '--Force'"),
    ] as [(String, String)]
  )
  func refused(line: String, text: String) {
    let words = line.split(separator: " ").map(String.init)
    do throws(UsageError) {
      _ = try ControlArguments(words[...])
      Issue.record("\(line) was understood")
    } catch { #expect(error.text.hasPrefix(text), "\(error.text)") }
  }

  @Test("every verb but those about the server or with a name there takes each kind of id")
  func targets() throws {
    let words: [String: [String]] = [
      "new-workspace": [], "split": ["--down"], "focus": [], "resize": ["--up"],
      "send-text": ["--text", "x"], "send-keys": ["enter"], "wait": ["--state", "up"],
      "rename": ["name"], "move-workspace": ["--to", "2"], "open": ["web1"],
    ]
    for verb in ControlArguments.verbs where verb != "quit" {
      for (option, target) in [
        ("--pane", ControlTarget.pane(PaneID(rawValue: 7))),
        ("--workspace", .workspace(WorkspaceID(rawValue: 7))),
        ("--window", .window(WindowID(rawValue: 7))),
      ] where verb != "open" || option != "--workspace" {
        let line = [verb, option, "7"] + (words[verb] ?? [])
        #expect(try ControlArguments(line[...]).request.target == target, "\(line)")
      }
    }
  }

  @Test("every error code has an exit status of its own, as documented")
  func exitStatus() {
    #expect(ControlErrorCode.allCases.map(\.exitStatus) == Array(1...18))
  }
}
