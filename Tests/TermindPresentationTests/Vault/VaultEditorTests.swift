import FoundationEssentials
import TermindDomain
import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("Forms of the Vault's records") struct VaultEditorTests {
  static func host(_ host: HostRecord = VaultFixture.web, isNew: Bool = false) -> HostEditor {
    HostEditor(
      host,
      isNew: isNew,
      contents: VaultFixture.contents,
      routes: VaultFixture.routes
    ).editing()
  }

  static func type(_ text: String, _ id: String, _ editor: inout HostEditor) {
    editor.form[id]?.value = .text(TextField(text))
    editor.changed()
  }

  @Test(
    "a form that nobody changes gives back exactly its record",
    arguments: VaultFixture.contents.hosts
  )
  func unchangedHosts(record: HostRecord) {
    let editor = Self.host(record)
    #expect(editor.record == record)
    #expect(!editor.form.isChanged)
    #expect(editor.form.firstProblem == nil)
  }

  @Test("odd texts of a record survive when another field is changed")
  func exactFields() {
    var record = VaultFixture.web
    record.notes = "one\r\ntwo\u{2028}three\n"
    record.startDirectory = "/srv/a  b "
    record.environment = [EnvironmentVariable(name: "A", value: " x = y ")]
    var editor = Self.host(record)
    Self.type("web9", "name", &editor)
    record.name = "web9"
    #expect(editor.record == record)
    #expect(Array(editor.record.notes.unicodeScalars) == Array(record.notes.unicodeScalars))
  }

  @Test(
    "what is wrong is said under its field at once",
    arguments: [
      ("name", "mid", "Another one has this name."),
      ("address", "bad host", "‘bad host’ is neither a name nor an address."),
      ("port", "70000", "A number from 1 to 65535 is needed."),
      ("username", "a b", "‘a b’ is no user name."),
      ("keepAlive", "soon", "A number from 0 to 86400 is needed."),
    ]
  )
  func problems(field: String, text: String, words: String) {
    var editor = Self.host()
    Self.type(text, field, &editor)
    #expect(editor.form[field]?.problem == words)
    #expect(editor.check() == false)
    #expect(editor.form.fields[editor.form.focused].id == field)
    Self.type("7", field, &editor)
    #expect(editor.form[field]?.problem.isEmpty == true)
  }

  @Test("a new host is not told that it is empty before saving is tried")
  func newHost() {
    var editor = Self.host(HostRecord(name: "", endpoint: SSHEndpoint(host: "")), isNew: true)
    #expect(editor.form.firstProblem == nil)
    #expect(editor.check() == false)
    #expect(editor.form["address"]?.problem == "This must not be empty.")
    Self.type("  [2001:db8::7] ", "address", &editor)
    #expect(editor.check() == true)
    #expect(editor.record.endpoint == SSHEndpoint(host: "2001:db8::7", port: 22))
    #expect(editor.form["name"]?.hint == "2001:db8::7")
    #expect(editor.form.text("route") == "direct")
  }

  @Test("the port follows the protocol until one is typed")
  func protocols() {
    var editor = Self.host()
    editor.form["connectionProtocol"]?.value = .choice(["SSH", "Telnet"], selected: 1)
    editor.changed()
    #expect(editor.record.endpoint.port == 23)
    #expect(editor.form["port"]?.hint == "23")
    Self.type("2323", "port", &editor)
    #expect(editor.record.endpoint.port == 2323)
  }

  @Test("the way is shown hop by hop, and a circle is an error at the jump hosts")
  func routes() {
    var editor = Self.host()
    #expect(editor.form.text("route") == "bastion › mid › web1 (3 hops)")
    editor.setJumps([])
    #expect(editor.form.text("route") == "direct")
    editor.setJumps([.text("ada@192.0.2.1:2200")])
    #expect(editor.form.text("route") == "ada@192.0.2.1:2200 › web1 (2 hops)")
    editor.setJumps([.text("not a target")])
    #expect(editor.form["jumps"]?.problem.isEmpty == false)
    #expect(editor.form.text("route").isEmpty)
    var bastion = Self.host(VaultFixture.bastion)
    bastion.setJumps([.saved(VaultFixture.web.id)])
    #expect(
      bastion.form["jumps"]?.problem
        == "The way leads in a circle: bastion › web1 › mid › bastion."
    )
    #expect(bastion.check() == false)
  }

  @Test("jump hosts are taken away from the end, an identity and a snippet as a whole")
  func removals() throws {
    var editor = Self.host()
    editor.setJumps([.saved(VaultFixture.bastion.id), .text("10.9.9.9")])
    for field in ["jumps", "identity", "startupSnippet", "theme"] {
      editor.form.focus(field)
      _ = editor.form.handle(try KeyChord(text: "backspace").event)
      editor.changed()
    }
    #expect(editor.record.jumps == [.saved(VaultFixture.bastion.id)])
    #expect(editor.record.identity == nil)
    #expect(editor.record.startupSnippet == nil)
    #expect(editor.record.theme == nil)
  }

  @Test("choices, tags, variables and key files become the record's")
  func reading() {
    var editor = Self.host()
    Self.type(" prod ,, db,prod", "tags", &editor)
    editor.form["color"]?.value = .choice(
      ["none"] + PaletteColor.allCases.map(\.title),
      selected: 0
    )
    editor.form["isPinned"]?.value = .toggle(true)
    editor.form["usesAgent"]?.value = .toggle(false)
    editor.form["oldAlgorithms"]?.value = .toggle(true)
    editor.form["engine"]?.value = .choice(["automatic", "libssh2", "OpenSSH"], selected: 2)
    for (name, place) in [("clipboard", 3), ("recording", 2)] {
      guard case .choice(let words, _)? = editor.form[name]?.value else { continue }
      editor.form[name]?.value = .choice(words, selected: place)
    }
    editor.form["environment"]?.value = .area(TextArea("A=1\n\nB= x=y "), rows: 2)
    editor.form["keyFiles"]?.value = .area(TextArea("~/.ssh/a\n /etc/b \n"), rows: 2)
    Self.type("", "keepAlive", &editor)
    let record = editor.record
    #expect(record.tags == ["prod", "db"])
    #expect(record.color == nil)
    #expect(record.isPinned)
    #expect(!record.usesAgent)
    #expect(record.allowsOldAlgorithms && record.engine == .openSSH)
    #expect(record.clipboard == .disabled && record.recording == .asciicast)
    #expect(
      record.environment == [
        EnvironmentVariable(name: "A", value: "1"), EnvironmentVariable(name: "B", value: " x=y "),
      ]
    )
    #expect(record.keyFiles == ["~/.ssh/a", "/etc/b"])
    #expect(record.keepAliveSeconds == nil)
    #expect(editor.form.firstProblem == nil)
  }

  @Test("a password is kept, replaced or forgotten, and never stands in the form")
  func passwords() {
    var editor = IdentityEditor(VaultFixture.deploy, contents: VaultFixture.contents).editing()
    #expect(editor.password == .kept)
    #expect(editor.form.text("password").isEmpty)
    #expect(!editor.isChanged)
    editor.forgetPassword()
    #expect(editor.password == .removed)
    #expect(editor.isChanged)
    editor.form["password"]?.value = .text(TextField("s3cret", isSecret: true))
    #expect(editor.password == .typed(SecretBytes(Array("s3cret".utf8))))
    #expect(editor.record == VaultFixture.deploy)
  }

  @Test("an identity without name and user cannot be saved; keys are removed from the end")
  func identities() throws {
    var editor = IdentityEditor(
      IdentityRecord(username: ""),
      isNew: true,
      contents: VaultFixture.contents
    ).editing()
    #expect(editor.form.firstProblem == nil)
    #expect(editor.check() == false)
    #expect(editor.form["name"]?.problem == "This must not be empty.")
    editor.setKeys([VaultFixture.key.id, VaultFixture.secretKey.id])
    editor.form.focus("keys")
    _ = editor.form.handle(try KeyChord(text: "backspace").event)
    editor.changed()
    #expect(editor.record.keys == [VaultFixture.key.id])
  }

  @Test("a snippet tells what it asks for, and keeps its text exactly")
  func snippets() {
    var editor = SnippetEditor(VaultFixture.snippet, contents: VaultFixture.contents)
    #expect(editor.record == VaultFixture.snippet)
    #expect(editor.form.text("places") == "lines (100), file")
    editor.form["text"]?.value = .area(TextArea(""), rows: 8)
    #expect(editor.check() == false)
    #expect(editor.form["text"]?.problem == "This must not be empty.")
  }

  @Test("a template and a key can be renamed, not to nothing that cannot be shown")
  func renaming() {
    var template = TemplateEditor(VaultFixture.template, contents: VaultFixture.contents)
    template.form["name"]?.value = .text(TextField(""))
    #expect(template.check() == false)
    template.form["name"]?.value = .text(TextField("evening"))
    #expect(template.check() == true)
    #expect(template.record.name == "evening")
    var key = KeyEditor(VaultFixture.key, contents: VaultFixture.contents)
    key.form["name"]?.value = .text(TextField(""))
    #expect(key.check() == true)
    key.form["comment"]?.value = .text(TextField(String(repeating: "x", count: 2_000)))
    #expect(key.check() == false)
  }
}

@Suite("Rows and order of the Vault's lists") struct VaultContentsTests {
  static func titles(_ section: VaultSection, _ sort: VaultSort) -> [String] {
    let contents = VaultFixture.contents
    let items = contents.items(of: section)
    return (contents.order(of: section, by: sort) ?? Array(items.indices)).map { items[$0].title }
  }

  @Test("hosts by name, last use and address; pinned ones stay in front")
  func hosts() {
    #expect(Self.titles(.hosts, .name) == ["bastion", "mid", "switch", "web1"])
    #expect(Self.titles(.hosts, .lastUsed) == ["bastion", "mid", "switch", "web1"])
    #expect(Self.titles(.hosts, .address) == ["bastion", "mid", "web1", "switch"])
  }

  @Test("every part can be sorted by everything that it offers", arguments: VaultSection.allCases)
  func orders(section: VaultSection) {
    let contents = VaultFixture.contents
    for sort in section.sorts {
      let order = contents.order(of: section, by: sort) ?? Array(0..<contents.count(of: section))
      #expect(order.sorted() == Array(0..<contents.count(of: section)))
    }
    #expect(contents.items(of: section).count == contents.count(of: section))
  }

  @Test("an address names the account, and the port only when it is not the usual one")
  func addresses() {
    let contents = VaultFixture.contents
    #expect(contents.address(of: VaultFixture.web) == "www@10.0.0.11")
    #expect(contents.address(of: VaultFixture.bastion) == "deploy@bastion.example.org:2222")
    #expect(contents.address(of: VaultFixture.switchHost) == "fe80::1%eth0")
    var other = VaultFixture.switchHost
    other.endpoint = SSHEndpoint(host: "fe80::1", port: 2323)
    #expect(contents.address(of: other) == "[fe80::1]:2323")
  }

  @Test(
    "times are shown in their largest unit",
    arguments: [
      (0, "now"), (59, "now"), (60, "1 min"), (7_199, "1 h"), (90_000, "1 d"), (-5, "now"),
    ]
  )
  func ages(seconds: Int64, text: String) {
    #expect(AgeText.short(seconds) == text)
  }

  @Test("each key of a part does one thing", arguments: VaultSection.allCases)
  func bindings(section: VaultSection) throws {
    let keys = section.bindings.map(\.key)
    #expect(Set(keys).count == keys.count)
    for binding in section.bindings {
      let event = try KeyChord(text: binding.key).event
      #expect(section.command(of: event) == binding.command, "\(binding.key)")
    }
    #expect(section.command(of: try KeyChord(text: "ctrl+d").event) == nil)
    #expect(section.command(of: try KeyChord(text: "delete").event) == .delete)
  }
}
