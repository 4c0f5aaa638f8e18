internal import TermindDomain

/// Hosts of a table with named columns.
public enum CSVHosts {
  /// What a column may be called, in lower case and without blanks, dashes and underscores.
  enum Column: String, CaseIterable {
    case name
    case address
    case port
    case user
    case tags
    case jump
    case key
    case notes

    var names: Set<String> {
      switch self {
      case .name: ["name", "label", "alias", "title"]
      case .address: ["address", "host", "hostname", "ip", "ipaddress", "server"]
      case .port: ["port", "sshport"]
      case .user: ["user", "username", "login", "account"]
      case .tags: ["tags", "tag", "group", "groups", "labels", "folder"]
      case .jump: ["jump", "jumphost", "jumps", "proxyjump", "via", "bastion"]
      case .key: ["key", "keyfile", "identityfile", "privatekey"]
      case .notes: ["notes", "note", "comment", "description"]
      }
    }
  }

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, UTF-8 or UTF-16 with its mark.
  ///   - path: Where it comes from.
  ///   - home: What `~` of key files stands for.
  /// - Returns: The hosts; rows that cannot be read are notes.
  /// - Throws: Why nothing can be read.
  public static func read(
    _ bytes: [UInt8],
    path: String,
    home: String
  ) throws(ImportTextError) -> HostImportSource {
    let table = CSVTable(try ImportText.decode(bytes))
    var source = HostImportSource(path: path)
    func note(_ kind: ImportNote.Kind, _ line: Int) {
      source.notes.append(ImportNote(kind, at: SourcePlace(path: path, line: line)))
    }
    for line in table.broken.prefix(1000) { note(.unreadable(.quotes), line) }
    guard let head = table.rows.first else { throw .missingColumn(Column.address.rawValue) }
    var columns: [Column?] = []
    for title in head.fields {
      let column = column(title)
      if let column, columns.contains(column) { throw .repeatedColumn(column.rawValue) }
      if column == nil { note(.unknownColumn(title), head.line) }
      columns.append(column)
    }
    guard columns.contains(.address) else { throw .missingColumn(Column.address.rawValue) }
    for row in table.rows.dropFirst() {
      guard source.hosts.count < HostImportSource.maximumHosts else {
        note(.tooManyHosts(limit: HostImportSource.maximumHosts), row.line)
        break
      }
      guard row.fields.contains(where: { !$0.trimmed.isEmpty }) else { continue }
      do throws(ImportTextError) {
        guard row.fields.count <= columns.count else {
          throw .tooManyFields(expected: columns.count)
        }
        var values: [Column: String] = [:]
        for (column, field) in zip(columns, row.fields) {
          if let column { values[column] = field.trimmed }
        }
        let place = SourcePlace(path: path, line: row.line)
        source.hosts.append(try draft(values, place, home))
      } catch {
        note(.unreadable(error), row.line)
      }
    }
    return source
  }

  static func column(_ title: String) -> Column? {
    let name = title.lowercased().filter { !$0.isWhitespace && $0 != "-" && $0 != "_" }
    return Column.allCases.first { $0.names.contains(name) }
  }

  private static func draft(
    _ values: [Column: String],
    _ place: SourcePlace,
    _ home: String
  ) throws(ImportTextError) -> HostDraft {
    let target = try target(values)
    var port = target.port ?? 22
    if let text = values[.port], !text.isEmpty {
      do throws(FieldProblem) {
        port = try FieldText.port(text)
      } catch {
        throw .invalidField(column: Column.port.rawValue, error)
      }
    }
    let name = values[.name] ?? ""
    var draft = HostDraft(
      name: name.isEmpty ? target.host : name,
      place: place,
      endpoint: SSHEndpoint(host: target.host, port: port),
      username: values[.user].flatMap { $0.isEmpty ? nil : $0 } ?? target.user ?? "",
      tags: tags(values[.tags] ?? ""),
      notes: values[.notes] ?? ""
    )
    draft.jumps = try jumps(values[.jump] ?? "")
    if let key = values[.key], !key.isEmpty {
      draft.keyFiles = [key.hasPrefix("~/") ? home + key.dropFirst() : key]
    }
    for column in Column.allCases {
      guard let value = values[column], !value.isEmpty else { continue }
      draft.taken.append(TakenOption(column.rawValue, value, at: place))
    }
    return draft
  }

  /// The address, which may have an account and a port of its own.
  private static func target(
    _ values: [Column: String]
  ) throws(ImportTextError) -> ConnectTarget {
    let text = values[.address] ?? ""
    guard !text.isEmpty else {
      throw .invalidField(column: Column.address.rawValue, .empty)
    }
    do throws(ConnectTargetError) {
      return try ConnectTarget(parsing: text)
    } catch {
      throw .invalidField(column: Column.address.rawValue, .target(error))
    }
  }

  private static func tags(_ text: String) -> [String] {
    var seen: Set<String> = []
    return text.split { $0 == "," || $0 == ";" }.map { String($0).trimmed }
      .filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  /// Jump hosts with commas or semicolons between them: names of hosts, or targets.
  private static func jumps(_ text: String) throws(ImportTextError) -> [JumpDraft] {
    var jumps: [JumpDraft] = []
    for part in text.split(whereSeparator: { $0 == "," || $0 == ";" }) {
      let word = String(part).trimmed
      do throws(ConnectTargetError) {
        let target = try ConnectTarget(parsing: word)
        let jump = SSHJump(user: target.user, host: target.host, port: target.port)
        jumps.append(JumpDraft(name: target.host, jump: jump, targets: [word]))
      } catch {
        // A name with blanks is no target, but may be a host of the table or a saved one.
        guard HostRecord.isValidName(word) else {
          throw .invalidField(column: Column.jump.rawValue, .target(error))
        }
        jumps.append(JumpDraft(name: word, jump: SSHJump(host: word), targets: [word]))
      }
    }
    return jumps
  }
}
