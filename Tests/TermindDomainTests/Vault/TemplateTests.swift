import FoundationEssentials
import TermindDomain
import Testing

@Suite("Workspace templates") struct TemplateTests {
  let web = HostID()
  let db = HostID()

  func layout(_ json: String) throws -> TemplateLayout {
    try JSONDecoder().decode(TemplateLayout.self, from: Data(json.utf8))
  }

  @Test("a layout comes back from its stored form with its shares")
  func roundTrip() throws {
    let json = """
      {"tree": {"axis": "stacked", "shares": [0.25, 0.75], "children": [{"pane": 4}, {"pane": 9}]},
       "panes": [{"pane": 9, "kind": "sftp", "host": "\(web)", "name": "we\\nb"},
                 {"pane": 4, "kind": "empty", "label": "x"}]}
      """
    let read = try layout(json)
    let template = WorkspaceTemplate(name: "t", layout: read)
    #expect(template.contents == [.empty(label: "x"), .sftp(web, name: "we\nb")])
    let again = try JSONDecoder().decode(
      TemplateLayout.self,
      from: try JSONEncoder().encode(TemplateLayout(of: template))
    )
    #expect(again == read)
  }

  @Test("a pane of local files comes back from its stored form")
  func localFiles() throws {
    let read = try layout(
      #"{"tree": {"pane": 1}, "panes": [{"pane": 1, "kind": "files", "directory": "/srv"}]}"#
    )
    #expect(WorkspaceTemplate(name: "t", layout: read).contents == [.files(directory: "/srv")])
    let stored = try JSONEncoder().encode(read)
    #expect(try JSONDecoder().decode(TemplateLayout.self, from: stored) == read)
  }

  @Test("panes without content are empty, content without a pane is dropped")
  func loose() throws {
    let read = try layout(
      #"{"tree": {"pane": 1}, "panes": [{"pane": 2, "kind": "local", "directory": "/"}]}"#
    )
    let template = WorkspaceTemplate(name: "t", layout: read)
    #expect(template.contents == [.empty(label: "")])
    #expect(template.panes.count == 1)
  }

  @Test(
    "what is no layout is refused",
    arguments: [
      "{}", #"{"tree": {"pane": 1}, "panes": [{"pane": 1, "kind": "serial"}]}"#,
      #"{"tree": {"pane": 1}, "panes": [{"pane": 1, "kind": "ssh", "host": "no"}]}"#,
      #"{"tree": {"axis": "stacked", "children": []}, "panes": []}"#,
    ]
  )
  func refused(json: String) {
    #expect(throws: DecodingError.self) { try layout(json) }
  }

  @Test("panes of hosts that are gone are empty and say their name")
  func missingHosts() throws {
    let read = try layout(
      """
      {"tree": {"axis": "sideBySide", "children": [{"pane": 1}, {"pane": 2}, {"pane": 3}]},
       "panes": [{"pane": 1, "kind": "ssh", "host": "\(web)", "name": "web"},
                 {"pane": 2, "kind": "ssh", "host": "\(db)", "name": "db"},
                 {"pane": 3, "kind": "sftp", "host": "\(web)", "name": "web"}]}
      """
    )
    let template = WorkspaceTemplate(name: "t", layout: read)
    #expect(template.hosts == [web, db])
    let left = template.without(hostsOutside: [web])
    #expect(
      left.contents == [.ssh(web, name: "web"), .empty(label: "db"), .sftp(web, name: "web")]
    )
    #expect(left.tree == template.tree && left.id == template.id)
  }
}
