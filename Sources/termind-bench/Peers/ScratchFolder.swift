import FoundationEssentials
import Glibc

/// A folder for one case, removed with the object.
final class ScratchFolder {
  /// Where it is; short, since sockets lie below it.
  let path: String

  /// Makes the folder, for this user alone; below `/tmp` unless another place is named.
  init(below parent: String = "/tmp") throws(BenchError) {
    path = "\(parent)/termind-bench-\(getpid())-\(UInt16.random(in: 0 ... .max))"
    guard unsafe mkdir(path, 0o700) == 0 else {
      throw .failed(step: "create \(path)", diagnostic: "error \(errno)")
    }
  }

  deinit {
    // What cannot be removed stays in /tmp, which nobody misses.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// A place in memory, where it has room for large files; else `/tmp`.
  static var memory: String {
    var space = statvfs()
    guard unsafe statvfs("/dev/shm", &space) == 0 else { return "/tmp" }
    let room = UInt64(space.f_bavail) * UInt64(space.f_frsize)
    return room > 8_000_000_000 && space.f_favail > 2_000_000 ? "/dev/shm" : "/tmp"
  }

  /// The path of a file in it.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, readable for this user alone.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8], mode: Int = 0o600) throws(BenchError) -> String {
    let place = file(name)
    let made = FileManager.default.createFile(
      atPath: place,
      contents: Data(bytes),
      attributes: [.posixPermissions: mode]
    )
    guard made else { throw .failed(step: "write \(place)", diagnostic: "not written") }
    return place
  }

  /// Writes a text file, readable for this user alone.
  @discardableResult
  func write(_ name: String, _ text: String, mode: Int = 0o600) throws(BenchError) -> String {
    try write(name, Array(text.utf8), mode: mode)
  }

  /// Makes a folder in it.
  func makeFolder(_ name: String) throws(BenchError) -> String {
    guard unsafe mkdir(file(name), 0o700) == 0 else {
      throw .failed(step: "create \(file(name))", diagnostic: "error \(errno)")
    }
    return file(name)
  }

  /// Whether there is a file at a path.
  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// The text of a file, empty when there is none.
  static func text(of path: String) -> String {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
