internal import TermindDomain

/// One directory that is listed; lives on the connection.
final class SFTPListingRun {
  typealias Waiter = CheckedContinuation<Result<FileListingBatch?, FileError>, Never>

  /// Most requests in flight.
  static let window = 16
  /// Most entries that came and were not taken, before no more are asked for.
  static let aheadLimit = 8_192

  let handle: [UInt8]
  private var unanswered = 0
  private var batch = FileListingBatch()
  private var isAtEnd = false
  private var failure: FileError?
  private var waiter: Waiter?
  private var ramp = 2

  init(handle: [UInt8]) { self.handle = handle }

  func pump(_ connection: isolated SFTPConnection) {
    while !isAtEnd, failure == nil, unanswered < ramp, batch.entries.count < Self.aheadLimit {
      unanswered += 1
      connection.post(SFTPRequest(.readDirectory) { $0.add(string: handle) }, .listing(self))
    }
  }

  func take(_ reply: SFTPReply, _ connection: isolated SFTPConnection) {
    unanswered -= 1
    switch reply {
    case .names(let names):
      for name in names { add(name) }
      // A server that lists nothing again and again would never end.
      if names.isEmpty { isAtEnd = true }
      ramp = min(ramp * 2, Self.window)
    case .status(SFTPStatus.endOfFile, _): isAtEnd = true
    case .status(let code, let text):
      // After the end, what the requests behind it meet is no news.
      if !isAtEnd, failure == nil { failure = SFTPStatus.error(code: code, text: text) }
    case .handle, .data, .attributes, .extended:
      failure = FileError(.protocolBroken("no names in the answer to a listing"))
    }
    give(connection)
  }

  private func add(_ name: SFTPName) {
    let fileName: FileName
    do throws(FileNameProblem) {
      fileName = try FileName(name.bytes)
    } catch {
      if name.bytes.elementsEqual([0x2E]) || name.bytes.elementsEqual([0x2E, 0x2E]) { return }
      return batch.rejectedNames.append(PathText.safe(name.bytes.prefix(256)))
    }
    let owners = SFTPLongLine.owners(name.line)
    var attributes = name.attributes
    if attributes.kind == .unknown { attributes.kind = SFTPLongLine.kind(name.line) }
    batch.entries.append(
      FileEntry(
        name: fileName,
        attributes: attributes,
        ownerName: owners?.user,
        groupName: owners?.group
      )
    )
  }

  func give(_ connection: isolated SFTPConnection) {
    pump(connection)
    guard let waiting = waiter else { return }
    if !batch.isEmpty {
      waiter = nil
      let full = batch
      batch = FileListingBatch()
      pump(connection)
      return waiting.resume(returning: .success(full))
    }
    if let failure {
      waiter = nil
      return waiting.resume(returning: .failure(failure))
    }
    guard isAtEnd, unanswered == 0 else { return }
    waiter = nil
    waiting.resume(returning: .success(nil))
  }

  func wait(_ continuation: Waiter) { waiter = continuation }

  func fail(_ error: FileError) {
    if failure == nil { failure = error }
    waiter.take()?.resume(returning: .failure(error))
  }
}

/// The line for people that comes with each listed name; only hints are taken from it.
enum SFTPLongLine {
  /// The owner's and group's names, when the line looks like `ls -l` and has no bare numbers there.
  static func owners(_ line: ArraySlice<UInt8>) -> (user: String?, group: String?)? {
    // `-rw-r--r--    1 root     wheel     5 Jan  1 2026 name`
    let words = line.split(separator: 0x20, maxSplits: 8)
    guard words.count >= 8, words[0].count >= 10 else { return nil }
    return (name(words[2]), name(words[3]))
  }

  /// The kind by the first letter.
  static func kind(_ line: ArraySlice<UInt8>) -> FileKind {
    guard line.split(separator: 0x20, maxSplits: 1).first?.count ?? 0 >= 10 else { return .unknown }
    switch line.first {
    case UInt8(ascii: "d"): return .directory
    case UInt8(ascii: "l"): return .symbolicLink
    case UInt8(ascii: "-"): return .regular
    default: return .unknown
    }
  }

  private static func name(_ word: ArraySlice<UInt8>) -> String? {
    word.allSatisfy { 0x30...0x39 ~= $0 } ? nil : PathText.safe(word)
  }
}
