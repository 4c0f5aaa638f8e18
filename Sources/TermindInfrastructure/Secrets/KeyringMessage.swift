internal import TermindApplication
internal import TermindDomain

/// What the keyring's helper is asked to do.
enum KeyringRequest: Equatable {
  /// Whether the keyring is locked.
  case state
  case unlock
  case lock
  case store(SecretItemID, SecretBytes, label: String)
  case read(SecretItemID)
  case replace(SecretItemID, SecretBytes)
  case delete(SecretItemID)
  case entries

  /// The bytes that travel to the helper.
  var encoded: SecretBytes {
    var writer = SecretWriter()
    switch self {
    case .state: writer.number(0)
    case .unlock: writer.number(1)
    case .lock: writer.number(2)
    case .store(let id, let bytes, let label):
      writer.number(3)
      writer.identifier(id)
      writer.secret(bytes)
      writer.string(label)
    case .read(let id):
      writer.number(4)
      writer.identifier(id)
    case .replace(let id, let bytes):
      writer.number(5)
      writer.identifier(id)
      writer.secret(bytes)
    case .delete(let id):
      writer.number(6)
      writer.identifier(id)
    case .entries: writer.number(7)
    }
    return writer.finish()
  }

  /// Reads what `encoded` gave.
  init?(_ text: SecretBytes) {
    var reader = SecretReader(text)
    guard let number = reader.number() else { return nil }
    if let simple = [0: KeyringRequest.state, 1: .unlock, 2: .lock, 7: .entries][number] {
      self = simple
      return
    }
    guard let id = reader.identifier() else { return nil }
    switch number {
    case 3:
      guard let bytes = reader.secret(), let label = reader.string() else { return nil }
      self = .store(id, bytes, label: label)
    case 4: self = .read(id)
    case 5:
      guard let bytes = reader.secret() else { return nil }
      self = .replace(id, bytes)
    case 6: self = .delete(id)
    default: return nil
    }
  }
}

/// What the keyring's helper answers.
enum KeyringReply: Equatable {
  case done
  /// Whether the keyring is locked; nil when there is none yet.
  case state(isLocked: Bool?)
  case secret(SecretBytes)
  case entries([SecretEntry])
  case failed(SecretStoreError)

  /// The bytes that travel from the helper; a failure that a helper cannot have travels as its text.
  var encoded: SecretBytes {
    var writer = SecretWriter()
    switch self {
    case .done: writer.number(0)
    case .state(let isLocked): writer.number(isLocked.map { $0 ? 2 : 1 } ?? 3)
    case .secret(let bytes):
      writer.number(4)
      writer.secret(bytes)
    case .entries(let entries):
      writer.number(5)
      writer.number(entries.count)
      for entry in entries {
        writer.identifier(entry.id)
        writer.string(entry.label)
      }
    case .failed(.locked): writer.number(6)
    case .failed(.dismissed): writer.number(7)
    case .failed(.notFound(let id)):
      writer.number(8)
      writer.identifier(id)
    case .failed(.noKeyring(let text)):
      writer.number(9)
      writer.string(text)
    case .failed(.libraryMissing(let name, let text)):
      writer.number(10)
      writer.string(name)
      writer.string(text)
    case .failed(.timedOut(let seconds)):
      writer.number(11)
      writer.number(seconds)
    case .failed(.failed(let text)):
      writer.number(12)
      writer.string(text)
    case .failed(let error):
      writer.number(12)
      writer.string("\(error)")
    }
    return writer.finish()
  }

  /// Reads what `encoded` gave.
  init?(_ text: SecretBytes) {
    var reader = SecretReader(text)
    switch reader.number() {
    case 0: self = .done
    case 1: self = .state(isLocked: false)
    case 2: self = .state(isLocked: true)
    case 3: self = .state(isLocked: nil)
    case 4:
      guard let bytes = reader.secret() else { return nil }
      self = .secret(bytes)
    case 5:
      guard let count = reader.number(), count <= text.count / 20 else { return nil }
      var entries: [SecretEntry] = []
      for _ in 0..<count {
        guard let id = reader.identifier(), let label = reader.string() else { return nil }
        entries.append(SecretEntry(id: id, label: label))
      }
      self = .entries(entries)
    case 6: self = .failed(.locked)
    case 7: self = .failed(.dismissed)
    case 8:
      guard let id = reader.identifier() else { return nil }
      self = .failed(.notFound(id))
    case 9:
      guard let text = reader.string() else { return nil }
      self = .failed(.noKeyring(diagnostic: text))
    case 10:
      guard let name = reader.string(), let text = reader.string() else { return nil }
      self = .failed(.libraryMissing(name: name, diagnostic: text))
    case 11:
      guard let seconds = reader.number() else { return nil }
      self = .failed(.timedOut(seconds: seconds))
    case 12:
      guard let text = reader.string() else { return nil }
      self = .failed(.failed(diagnostic: text))
    default: return nil
    }
  }
}
