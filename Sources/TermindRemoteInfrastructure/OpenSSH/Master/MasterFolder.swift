internal import Glibc
internal import TermindInfrastructure

/// The private folder of one master: its control socket, and the sockets through which its helpers ask.
///
/// The name tells which process made it, so that the next server removes what a dead one left.
final class MasterFolder: Sendable {
  /// The path of the folder.
  let path: String

  /// `ssh` adds a dot and sixteen characters to the path of its control socket while it makes it.
  private static let longestPath = 107 - 17 - 2
  private static let prefix = "ssh-"

  /// Makes a folder for this user alone.
  ///
  /// - Parameter parent: The runtime directory; where it is too long for a socket, the system's temporary one
  ///   takes its place.
  /// - Throws: Why there is none.
  init(in parent: String) throws(DirectoryError) {
    let process = ProcessEnvironment.processNumber
    let name = "\(Self.prefix)\(process)-\(Self.randomText())"
    var place = parent
    if "\(parent)/\(name)".utf8.count > Self.longestPath { place = Self.fallback }
    try PrivateDirectory.ensure(place, .exclusive)
    path = "\(place)/\(name)"
    try PrivateDirectory.ensure(path, .exclusive)
  }

  deinit { remove() }

  /// The master's control socket.
  var control: String { "\(path)/c" }
  /// Where helpers ask.
  var helpers: String { "\(path)/h" }
  /// The agent of the attempt.
  var agent: String { "\(path)/a" }
  /// The name under which our own program answers prompts.
  var askpass: String { "\(path)/\(OpenSSHHelper.askpassName)" }
  /// Where connections of a remote listener come in.
  func listener(_ number: UInt32) -> String { "\(path)/l\(number)" }

  /// Makes the name under which our own program answers prompts.
  ///
  /// - Returns: Whether it is there.
  func linkAskpass(to program: String) -> Bool { unsafe symlink(program, askpass) == 0 }

  /// Writes a configuration that leads to the one of a home directory, and then to the system's.
  ///
  /// - Parameter home: A home directory that is not the one of the account, which is all that `ssh` looks in.
  /// - Returns: Its path; nil when it cannot be written.
  func writeConfiguration(home: String) -> String? {
    let file = "\(path)/config"
    let own = "\(home)/.ssh/config".replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let text = Array("Include \"\(own)\"\nInclude /etc/ssh/ssh_config\n".utf8)
    let number = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { return nil }
    let descriptor = OwnedDescriptor(adopting: number)
    let count = unsafe write(descriptor.number, text, text.count)
    return count == text.count ? file : nil
  }

  /// Removes the folder and what is in it.
  func remove() { Self.remove(path) }

  /// Removes the folders of processes that are gone.
  static func removeLeftovers(in parent: String) {
    for place in Set([parent, fallback]) {
      for name in names(in: place) where name.hasPrefix(prefix) {
        let number = name.dropFirst(prefix.count).prefix { $0 != "-" }
        guard let process = Int32(number), process != ProcessEnvironment.processNumber,
          ProcessDescent.isOver(process)
        else { continue }
        remove("\(place)/\(name)")
      }
    }
  }

  private static var fallback: String { "/tmp/termind-\(geteuid())" }

  private static func remove(_ path: String) {
    for name in names(in: path) { unsafe _ = unlink("\(path)/\(name)") }
    unsafe _ = rmdir(path)
  }

  private static func names(in path: String) -> [String] {
    guard let folder = unsafe opendir(path) else { return [] }
    defer { unsafe _ = closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Sixteen characters that nobody guesses.
  static func randomText() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdefghijklmnopqrstuv")
    return String((0..<16).map { _ in digits[Int(generator.next() & 31)] })
  }
}
