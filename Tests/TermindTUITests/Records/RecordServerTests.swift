import FoundationEssentials
import TermindDomain
import TermindInfrastructure
import Testing

@testable import TermindTUI

/// The built program with a running server: its windows see every change.
@Suite("Commands on the server", .timeLimit(.minutes(10))) struct RecordServerTests {
  @Test("a host that is added while a window is open appears in its list, and is opened by its tag")
  func welcome() async throws {
    let home = try TestHome()
    let termind = try CommandRun(home: home)
    _ = try await termind(
      "host",
      "add",
      "early-bird",
      "--address",
      "127.0.0.1",
      "--port",
      "1",
      "--tag",
      "t"
    )
    let terminal = try TestTerminal(rows: 24, columns: 100)
    _ = try terminal.start(home: home.path)
    #expect(await terminal.shows("early-bird"))
    let added = try await termind(
      "host",
      "add",
      "latecomer",
      "--address",
      "127.0.0.1",
      "--port",
      "2",
      "--tag",
      "t"
    )
    #expect(added.status == 0, "\(added.errors)")
    #expect(await terminal.shows("latecomer"))
    #expect(try await termind("host", "list", "--json").decoded([HostRow].self).count == 2)
    let opened = try await termind(
      "ctl",
      "open",
      "--tag",
      "t",
      "--layout",
      "columns",
      "--workspace",
      "Both",
      "--json"
    )
    let made = try opened.decoded(ControlCreated.self)
    #expect(made.panes.count == 2)
    let panes = try await termind("ctl", "panes", "--json").decoded([ControlPane].self)
    #expect(panes.map(\.title) == ["early-bird", "latecomer"])
    #expect(panes.allSatisfy { $0.rows > 10 && $0.columns < 60 })
    let workspaces = try await termind("ctl", "workspaces", "--json").decoded(
      [ControlWorkspace].self
    )
    #expect(workspaces.map(\.name) == ["Both"])
    let near = try await termind("ctl", "open", "--tag", "tt")
    #expect(near.status == 4 && near.errors.contains("did you mean 't'"))
  }

  @Test("a template opens as it was saved; hosts that are gone leave their names on empty panes")
  func template() async throws {
    let home = try TestHome()
    let termind = try CommandRun(home: home)
    for name in ["one", "two"] {
      _ = try await termind("host", "add", name, "--address", "127.0.0.1", "--port", "1")
    }
    _ = try await termind(
      "template",
      "add",
      "pair",
      "--host",
      "one",
      "--host",
      "two",
      "--layout",
      "rows"
    )
    #expect(try await termind("host", "rm", "two", "--force").status == 0)
    let terminal = try TestTerminal(rows: 24, columns: 100)
    _ = try terminal.start(["open", "--template", "pair"], home: home.path)
    #expect(await terminal.shows("two"))
    let panes = try await termind("ctl", "panes", "--json").decoded([ControlPane].self)
    #expect(panes.map(\.kind) == ["ssh", "empty"])
    #expect(panes.map(\.title) == ["one", "two"])
    #expect(panes.allSatisfy { $0.columns > 60 && $0.rows < 15 })
  }

  @Test("what cannot be opened refuses the terminal with its reason, and leaves no window")
  func refusal() async throws {
    let home = try TestHome()
    let termind = try CommandRun(home: home)
    let terminal = try TestTerminal()
    let process = try terminal.start(["open", "--tag", "none"], home: home.path)
    #expect(try await terminal.end(of: process) == .exited(status: 1))
    #expect(await terminal.shows("termind: No saved host has the tag 'none'."))
    #expect(terminal.isRestored)
    #expect(try await termind("ls", "--json").output == "[]\n")
  }

  @Test("secrets reach the server's secret store")
  func secrets() async throws {
    let home = try TestHome()
    let termind = try CommandRun(home: home)
    let terminal = try TestTerminal()
    _ = try terminal.start(home: home.path)
    #expect(await terminal.shows("\u{1B}["))
    let added = try await termind(
      "identity",
      "add",
      "me",
      "--user",
      "root",
      "--password-fd",
      "3",
      "--unlock-fd",
      "4",
      "--json",
      secrets: ["hunter2", "open"]
    )
    #expect(added.status == 0, "\(added.errors)")
    #expect(try added.decoded([IdentityRow].self).first?.password == true)
    #expect(!home.log.contains("hunter2"))
    // It stays open as long as the server lives.
    #expect(try await termind("identity", "rm", "me").status == 0)
  }
}
