// Base64 with line breaks is in full Foundation only.
import TermindDomain
import Foundation
import Testing

@testable import TermindRemoteInfrastructure

/// A temporary directory in which OpenSSH's and OpenSSL's own tools make keys.
final class KeyWorkshop: Sendable {
  struct Result {
    let status: Int32
    let output: String
    let errors: String
  }

  let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(
      path: "termind-keys-\(UUID().uuidString)"
    )
    try FileManager.default.createDirectory(
      at: directory,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  deinit {
    // `try?`: what is left behind lies in the system's temporary directory.
    try? FileManager.default.removeItem(at: directory)
  }

  func path(_ name: String) -> String { directory.appending(path: name).path }

  func write(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
    try write(name, Array(text.utf8), mode: mode)
  }

  func write(_ name: String, _ bytes: [UInt8], mode: Int = 0o600) throws -> String {
    try Data(bytes).write(to: directory.appending(path: name))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    return path(name)
  }

  func read(_ name: String) throws -> [UInt8] {
    // Not `Data`: it leaks its buffer when the file is empty, which the leak check reports.
    try LocalFile.read(path(name), limit: 1 << 24).bytes.copyBytes()
  }

  /// Runs a program and waits for it.
  @discardableResult
  func run(
    _ program: String,
    _ arguments: [String],
    input: [UInt8] = [],
    environment: [String: String] = [:],
    expecting status: Int32? = 0
  ) throws -> Result {
    var variables = ProcessInfo.processInfo.environment
    variables["SSH_AUTH_SOCK"] = nil
    let name = UUID().uuidString
    // Files instead of pipes: no output can fill a buffer and block the program.
    let process = try ChildProcess(
      program,
      arguments,
      environment: variables.merging(environment) { $1 },
      input: try write("in-\(name)", input),
      output: try write("out-\(name)", ""),
      errors: try write("err-\(name)", "")
    )
    let result = Result(
      status: process.wait(),
      output: String(decoding: try read("out-\(name)"), as: UTF8.self),
      errors: String(decoding: try read("err-\(name)"), as: UTF8.self)
    )
    if let status {
      try #require(
        result.status == status,
        "\(program) \(arguments): \(result.output)\(result.errors)"
      )
    }
    return result
  }

  /// Makes a key with ssh-keygen; the name is the file's.
  func makeKey(_ name: String, _ arguments: [String], passphrase: String = "") throws -> String {
    try run(
      "ssh-keygen",
      ["-q", "-N", passphrase, "-C", "made by a test", "-f", path(name)] + arguments
    )
    return path(name)
  }

  /// The blob of a `.pub` file.
  func publicBlob(_ name: String) throws -> [UInt8] {
    let fields = String(decoding: try read("\(name).pub"), as: UTF8.self).split(separator: " ")
    return try #require(Base64Codec.decode(Array(fields[1].utf8)))
  }

  /// Whether ssh-keygen accepts a signature over `message` in its own signature format.
  func checkSignature(
    _ message: [UInt8],
    by key: SSHPublicKey,
    _ sign: ([UInt8]) async throws -> [UInt8]
  ) async throws -> Bool {
    // PROTOCOL.sshsig: the signed text and the armored blob share these fields.
    func fields(_ writer: inout WireWriter) {
      writer.string("termind-test")
      writer.string("")
      writer.string("sha512")
    }
    var signed = WireWriter()
    for byte in "SSHSIG".utf8 { signed.byte(byte) }
    fields(&signed)
    signed.string(Digest.sha512.hash(message))
    var blob = WireWriter()
    for byte in "SSHSIG".utf8 { blob.byte(byte) }
    blob.uint32(1)
    blob.string(key.blob)
    fields(&blob)
    blob.string(try await sign(signed.bytes))
    let armor = Data(blob.bytes).base64EncodedString(options: [
      .lineLength64Characters, .endLineWithLineFeed,
    ])
    let name = "signature-\(UUID().uuidString)"
    let file = try write(
      name,
      "-----BEGIN SSH SIGNATURE-----\n\(armor)\n-----END SSH SIGNATURE-----\n"
    )
    let result = try run(
      "ssh-keygen",
      ["-Y", "check-novalidate", "-n", "termind-test", "-s", file],
      input: message,
      expecting: nil
    )
    return result.status == 0
  }
}

extension LoadedKey {
  /// The key when it is ready.
  var readyKey: PrivateKey? { if case .ready(let key) = self { key } else { nil } }
  /// The key when it is locked.
  var lockedKey: LockedKey? { if case .locked(let key) = self { key } else { nil } }
}

/// A small reproducible generator (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
