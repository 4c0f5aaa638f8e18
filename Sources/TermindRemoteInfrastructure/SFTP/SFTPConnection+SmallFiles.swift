internal import TermindApplication
internal import TermindDomain

extension SFTPConnection {
  /// Does something for each element, all beside each other and on the loop: nothing goes from thread to thread.
  ///
  /// Cancelling cancels all of it.
  /// - Parameters:
  ///   - elements: The elements.
  ///   - body: What is done.
  /// - Returns: What came of each, in their order.
  func each<Element: Sendable, Value: Sendable>(
    _ elements: [Element],
    _ body:
      @escaping @Sendable (isolated SFTPConnection, Element) async throws(FileError) -> Value
  ) async -> [Result<Value, FileError>] {
    let tasks = elements.map { element in
      Task { () -> Result<Value, FileError> in
        do throws(FileError) {
          return .success(try await body(self, element))
        } catch { return .failure(error) }
      }
    }
    return await withTaskCancellationHandler {
      var results: [Result<Value, FileError>] = []
      for task in tasks { results.append(await task.value) }
      return results
    } onCancel: {
      for task in tasks { task.cancel() }
    }
  }

  /// Reads a small file in two round trips; nil when it turned out not to be one that this suits.
  ///
  /// Everything that follows the handle is sent at once. A file whose size and bytes do not agree (one that the
  /// system makes up while it is read, or a short answer) is left to the longer way.
  func readSmallFile(_ path: RemotePath, limit: Int) async throws(FileError) -> SmallFile? {
    let handle = try await open(.open(path, .read))
    let length = max(1, min(limit, limits.readLength))
    handles.give()
    let answers = await ask([
      .handleStatus(handle), .read(handle, at: 0, count: length), .handleStatus(handle),
      .close(handle),
    ])
    guard case .attributes(let before) = try answers[0].get(),
      case .attributes(let after) = try answers[2].get()
    else { return nil }
    switch try answers[1].get() {
    case .data(let bytes):
      guard bytes.count <= length else { throw broken("more data than was asked for") }
      let size = before.size ?? .max
      guard size == UInt64(bytes.count) || size > UInt64(limit) && bytes.count == limit else {
        return nil
      }
      return SmallFile(
        bytes: bytes,
        isCut: size > UInt64(bytes.count),
        before: before,
        after: after
      )
    case .status(SFTPStatus.endOfFile, _):
      guard before.size == 0 else { return nil }
      return SmallFile(bytes: [], isCut: false, before: before, after: after)
    case .status(let code, let text): throw SFTPStatus.error(code: code, text: text)
    default: throw broken("no data in the answer to a read")
    }
  }

  /// Writes a small new file in two round trips.
  func writeSmallFile(
    _ path: RemotePath,
    _ contents: SmallFileContents,
    syncs: Bool
  ) async throws(FileError) -> SmallFileResult {
    let handle = try await open(
      .open(path, [.write, .create, .exclusive], FileAttributeChange(permissions: 0o600))
    )
    handles.give()
    var requests: [SFTPRequest] = []
    var rest = contents.bytes
    var offset: UInt64 = 0
    while !rest.isEmpty {
      let piece = rest.prefix(min(limits.writeLength, SFTPWriteStream.mostLength))
      requests.append(.write(handle, at: offset, piece))
      offset += UInt64(piece.count)
      rest = rest.dropFirst(piece.count)
    }
    let writes = requests.count
    if syncs { requests.append(.sync(handle)) }
    let change = FileAttributeChange(permissions: contents.permissions, times: contents.times)
    if !change.isEmpty { requests.append(.setHandleStatus(handle, change)) }
    requests += [.handleStatus(handle), .close(handle)]
    let answers = await ask(requests)
    for answer in answers[..<writes] {
      let reply = try answer.get()
      if case .status(let code, let text) = reply, code != SFTPStatus.ok {
        throw SFTPStatus.writeError(code: code, text: text)
      }
      try Self.check(reply)
    }
    // Some file systems only tell now that the data was lost.
    try Self.check(try answers[answers.count - 1].get())
    var result = SmallFileResult(size: nil)
    if case .success(.attributes(let attributes)) = answers[answers.count - 2] {
      result.size = attributes.size
    }
    var index = writes
    if syncs {
      result.syncProblem = Self.problem(answers[index])
      index += 1
    }
    if !change.isEmpty { result.attributeProblem = Self.problem(answers[index]) }
    return result
  }

  private static func problem(_ answer: Result<SFTPReply, FileError>) -> FileError? {
    do throws(FileError) {
      try check(try answer.get())
      return nil
    } catch { return error }
  }
}
