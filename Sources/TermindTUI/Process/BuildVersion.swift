/// Which build this is; server and clients of one build understand each other completely.
public nonisolated struct BuildVersion: Hashable, Sendable {
  /// The version shown to people.
  public var text: String
  /// The number of the form of messages; raised with every change of it.
  public var protocolNumber: UInt32

  /// Makes a version.
  public init(text: String, protocolNumber: UInt32) {
    self.text = text
    self.protocolNumber = protocolNumber
  }

  /// This build.
  public static let current = BuildVersion(text: "0.1.0", protocolNumber: 4)
}
