internal import CLinux
internal import TermindDomain
internal import Glibc

/// The files of one recording, one after another; used by one thread at a time.
final class RecordingFile {
  private let request: RecordingRequest
  private let limits: RecordingLimits
  private var descriptor: OwnedDescriptor
  /// The file that is being written.
  private(set) var path: String
  private var size = 0

  /// Makes the folder and the first file.
  init(_ request: RecordingRequest, limits: RecordingLimits, now: Int64)
    throws(RecordingProblem)
  {
    self.request = request
    self.limits = limits
    (descriptor, path) = try Self.create(request, now: now)
  }

  /// Goes on in a file that is open already.
  init(_ request: RecordingRequest, adopting descriptor: OwnedDescriptor, at path: String) {
    self.request = request
    limits = RecordingLimits()
    self.descriptor = descriptor
    self.path = path
  }

  /// Whether another file is due.
  var isFull: Bool { size >= limits.fileSize }

  /// Goes on in another file.
  func rotate(now: Int64) throws(RecordingProblem) {
    (descriptor, path) = try Self.create(request, now: now)
    size = 0
  }

  /// Writes a text whole, or takes back what of it was written.
  func write(_ text: String) throws(RecordingProblem) {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { all in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: all[written...])
        return unsafe Glibc.write(descriptor.number, rest.baseAddress, rest.count)
      }
      if count < 0 {
        let code = errno
        if code == EINTR { continue }
        // A line that is cut in two would make the file useless to its readers.
        _ = ftruncate(descriptor.number, off_t(size))
        throw .file(path: path, reason: SystemText.text(of: code))
      }
      written += count
    }
    size += bytes.count
  }

  private static func create(_ request: RecordingRequest, now: Int64) throws(RecordingProblem)
    -> (OwnedDescriptor, String)
  {
    try makeDirectory(request.directory)
    let stem = "\(request.directory)/\(plain(request.name))-\(stamp(now))"
    for number in 1...1000 {
      let suffix = number == 1 ? "" : "-\(number)"
      let path = "\(stem)\(suffix).\(request.format.fileExtension)"
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
      let opened = unsafe tm_open(path, flags, 0o600)
      if opened >= 0 { return (OwnedDescriptor(adopting: opened), path) }
      let code = errno
      guard code == EEXIST else { throw .file(path: path, reason: SystemText.text(of: code)) }
    }
    throw .file(path: stem, reason: SystemText.text(of: EEXIST))
  }

  /// Makes a folder for this user alone, and those above it.
  private static func makeDirectory(_ path: String) throws(RecordingProblem) {
    var made = ""
    for part in path.split(separator: "/") {
      made += (made.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
      guard unsafe mkdir(made, 0o700) < 0 else { continue }
      let code = errno
      // What is there already may be a link to a folder; opening a file in it tells.
      guard code == EEXIST || code == EROFS || code == EACCES else {
        throw .file(path: made, reason: SystemText.text(of: code))
      }
    }
  }

  /// A name for a file out of any name: no separators, no controls, no dot at its front.
  static func plain(_ name: String) -> String {
    var plain = ""
    for scalar in name.unicodeScalars.prefix(80) {
      let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      plain.unicodeScalars.append(isPlain || "-_.@".unicodeScalars.contains(scalar) ? scalar : "_")
    }
    while plain.hasPrefix(".") { plain.removeFirst() }
    return plain.isEmpty ? "session" : plain
  }

  /// Local time as `20261130-141500`.
  private static func stamp(_ now: Int64) -> String {
    let time = LocalTime(at: now)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    // Time zones differ by whole minutes, so the seconds are the same everywhere.
    let seconds = Int((now % 60 + 60) % 60)
    return "\(time.year)\(two(time.month))\(two(time.day))-\(two(time.hour))\(two(time.minute))"
      + two(seconds)
  }
}
