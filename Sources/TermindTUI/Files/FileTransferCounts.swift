import TermindApplication
import TermindDomain
import TermindPresentation

/// What has happened in one transfer so far.
nonisolated struct FileTransferCounts: Sendable {
  /// The most lines that are kept of what went wrong.
  private static let noteLimit = 1_000

  /// Files that were found, and their bytes.
  var found: UInt64 = 0
  var foundBytes: UInt64 = 0
  /// Whether everything was found.
  var isPlanned = false
  /// Files that are there, and their bytes.
  var done: UInt64 = 0
  private var doneBytes: UInt64 = 0
  /// The bytes of files that are under way.
  private var underway: [Int: UInt64] = [:]
  /// What failed and what was left out, in sentences.
  private(set) var notes: [String] = []
  private(set) var failureCount = 0
  private(set) var skipCount = 0

  /// Bytes that are there.
  var bytes: UInt64 { underway.values.reduce(doneBytes, &+) }

  /// Takes what happened.
  mutating func take(_ event: TransferEvent) {
    switch event {
    case .found(let item):
      found += 1
      foundBytes &+= item.size ?? 0
    case .planned, .started, .madeDirectory, .madeLink: break
    case .progressed(let item, let bytes): underway[item.number] = bytes
    case .finished(let item, let result):
      underway[item.number] = nil
      done += 1
      doneBytes &+= result.byteCount
      for warning in result.warnings { note("\(ErrorText.sentence(warning)) The file is there.") }
    case .failed(let item, let failure):
      underway[item.number] = nil
      fail(ErrorText.sentence(failure, copying: item.source))
    case .skipped(let path, let skip):
      skipCount += 1
      note(ErrorText.sentence(skip, of: path))
    case .missing(let path, let error): fail(ErrorText.sentence(error.about(path)))
    case .warned(let path, let error): note(ErrorText.sentence(error.about(path)))
    }
  }

  /// Notes that something failed.
  mutating func fail(_ text: String) {
    failureCount += 1
    note(text)
  }

  private mutating func note(_ text: String) {
    if notes.count < Self.noteLimit { notes.append(text) }
  }

  /// How far it is, in a few characters.
  var state: String {
    guard isPlanned, foundBytes > 0 else { return FileText.size(bytes) }
    return "\(min(bytes * 100 / foundBytes, 100))%"
  }

  /// How far it is, in a line.
  var text: String {
    let of = isPlanned ? "of" : "of at least"
    return "\(FileText.grouped(done)) \(of) \(FileText.count(found, "file")), "
      + "\(FileText.size(bytes)) of \(FileText.size(foundBytes))"
  }
}
