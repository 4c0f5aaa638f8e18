public import FoundationEssentials

/// Names one saved record of a kind for good: a UUID, so that two machines never give the same one.
public protocol VaultID: Hashable, Sendable, Codable, RawRepresentable<UUID>,
  CustomStringConvertible
{
  /// Wraps a stored identifier.
  init(rawValue: UUID)
}

extension VaultID {
  /// Makes an identifier for a new record.
  public init() { self.init(rawValue: UUID()) }

  /// Reads an identifier that was written as text; nil when it is none.
  public init?(text: String) {
    guard let value = UUID(uuidString: text) else { return nil }
    self.init(rawValue: value)
  }

  /// Reads an identifier that was written as a single value.
  ///
  /// - Parameter decoder: Where it stands.
  /// - Throws: `DecodingError` when it is no UUID.
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(UUID.self))
  }

  /// Writes the identifier as a single value.
  ///
  /// - Parameter encoder: Where it goes.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// The identifier as text, in capitals and with dashes.
  public var description: String { rawValue.uuidString }
}

/// Names one saved host of the vault.
public struct HostID: VaultID {
  /// The identifier stored with the record.
  public let rawValue: UUID
  /// Wraps a stored identifier.
  public init(rawValue: UUID) { self.rawValue = rawValue }
}

/// Names one identity of the vault.
public struct IdentityID: VaultID {
  /// The identifier stored with the record.
  public let rawValue: UUID
  /// Wraps a stored identifier.
  public init(rawValue: UUID) { self.rawValue = rawValue }
}

/// Names one key of the vault.
public struct KeyID: VaultID {
  /// The identifier stored with the record.
  public let rawValue: UUID
  /// Wraps a stored identifier.
  public init(rawValue: UUID) { self.rawValue = rawValue }
}

/// Names one trusted, revoked or signing host key of the vault.
public struct KnownHostID: VaultID {
  /// The identifier stored with the record.
  public let rawValue: UUID
  /// Wraps a stored identifier.
  public init(rawValue: UUID) { self.rawValue = rawValue }
}

/// Names one snippet of the vault.
public struct SnippetID: VaultID {
  /// The identifier stored with the record.
  public let rawValue: UUID
  /// Wraps a stored identifier.
  public init(rawValue: UUID) { self.rawValue = rawValue }
}

/// Names one workspace template of the vault.
public struct TemplateID: VaultID {
  /// The identifier stored with the record.
  public let rawValue: UUID
  /// Wraps a stored identifier.
  public init(rawValue: UUID) { self.rawValue = rawValue }
}

/// Names one entry of the connection history.
public struct ConnectionEventID: VaultID {
  /// The identifier stored with the entry.
  public let rawValue: UUID
  /// Wraps a stored identifier.
  public init(rawValue: UUID) { self.rawValue = rawValue }
}

/// Names one secret of the secret store; the vault keeps this and never the secret itself.
public struct SecretItemID: VaultID {
  /// The identifier under which the secret store has it.
  public let rawValue: UUID
  /// Wraps a stored identifier.
  public init(rawValue: UUID) { self.rawValue = rawValue }
}
