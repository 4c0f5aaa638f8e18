internal import TermindApplication
internal import TermindDomain

extension FileCopyRun {
  /// How much the server copies by itself in one go.
  private static let serverStep: UInt64 = 67_108_864

  /// Copies a file of any size.
  func copyLarge() async throws(CopyFailure) -> CopyResult {
    let input: any OpenFile
    let before: FileAttributes
    do throws(FileError) {
      input = try await source.files.open(source.path, .read)
      do throws(FileError) {
        before = try await input.attributes()
      } catch {
        await input.discard()
        throw error
      }
    } catch { throw await unopened(Self.failure(.reading, error)) }
    do throws(CopyFailure) {
      guard before.kind == .regular || before.kind == .unknown else {
        let refusal: CopyRefusal =
          before.kind == .directory ? .otherKind : .special(before.kind)
        throw await unopened(CopyFailure(.refused(refusal)))
      }
      let result = try await copy(input, before)
      await input.discard()
      return result
    } catch {
      await input.discard()
      throw error
    }
  }

  private func copy(_ input: any OpenFile, _ before: FileAttributes) async throws(CopyFailure)
    -> CopyResult
  {
    let (output, digest) = try await openPartial(before)
    var warnings: [FileError] = []
    let written: (count: UInt64, digest: [UInt8])
    do throws(CopyFailure) {
      written = try await transfer(input, before, output, digest)
      // Each costs a round trip: they are made beside each other.
      async let problems = keepAttributes(before, output)
      try await check(input, before, output, written.count)
      warnings = await problems
      do throws(FileError) {
        try await output.close()
      } catch { throw Self.failure(.writing, error) }
    } catch {
      // The first error is the one that counts.
      try? await output.close()
      // A checkpoint needs its temporary file.
      throw error.checkpoint == nil ? await cleaned(error) : error
    }
    if request.options.readsBack, !written.digest.isEmpty { try await compare(written.digest) }
    let hasReplaced = try await name(&warnings)
    return CopyResult(
      byteCount: written.count,
      digest: written.digest,
      hasReplaced: hasReplaced,
      warnings: warnings
    )
  }

  // MARK: The beginning

  /// Makes the temporary file, or opens the one that a checkpoint names and proves what is in it.
  private func openPartial(_ before: FileAttributes) async throws(CopyFailure)
    -> (any OpenFile, ContentDigest)
  {
    guard let checkpoint = request.checkpoint else {
      guard let digest = ContentDigest() else { throw Self.noDigest }
      do throws(FileError) {
        return (try await target.files.open(partial, .create(permissions: 0o600)), digest)
      } catch {
        // Without the answer nobody knows whether it was made.
        let mayExist = error.endsConnection || error.isCancellation
        throw await cleaned(Self.failure(.writing, error), mayExist: mayExist)
      }
    }
    guard before.isUnchanged(since: checkpoint.source) else {
      throw await cleaned(CopyFailure(.notResumable))
    }
    let output: any OpenFile
    do throws(FileError) {
      output = try await target.files.open(checkpoint.partial, .update)
    } catch {
      guard error.reason == .notFound else {
        throw await unopened(Self.failure(.writing, error))
      }
      throw CopyFailure(.notResumable)
    }
    do throws(CopyFailure) {
      return (output, try await prove(output, checkpoint))
    } catch {
      // The first error is the one that counts.
      try? await output.close()
      throw await unopened(error)
    }
  }

  /// What becomes of the temporary file of an earlier attempt when this one ends before it goes on in it: a lost
  /// connection leaves it for the next attempt, anything else removes it.
  private func unopened(_ failure: CopyFailure) async -> CopyFailure {
    guard let checkpoint = request.checkpoint else { return failure }
    guard case .operation(_, let error) = failure.reason, error.endsConnection else {
      return await cleaned(failure)
    }
    var failure = failure
    failure.checkpoint = checkpoint
    failure.leftBehind = partial
    return failure
  }

  private static var noDigest: CopyFailure {
    CopyFailure(
      .operation(.writing, FileError(.failed, text: "no SHA-256 in this system's libcrypto"))
    )
  }

  /// Reads what an earlier attempt wrote, and cuts off what lies behind the last place up to which all of it is there.
  ///
  /// Pieces that went over several conversations may have left holes, so that the size tells little. When none of it can be
  /// proved the copy begins anew, in the same temporary file.
  private func prove(
    _ output: any OpenFile,
    _ checkpoint: CopyCheckpoint
  ) async throws(CopyFailure) -> ContentDigest {
    do throws(FileError) {
      let size = try await output.attributes().size ?? 0
      let wanted = checkpoint.milestones.filter { $0.offset <= size }
      guard let proof = ContentProof(wanted) else { throw FileError(.failed) }
      if let last = wanted.last {
        let reader = output.reader(from: 0, to: last.offset)
        while !proof.isOver, let bytes = try await reader.next() { proof.update(bytes) }
        await reader.stop()
      }
      guard let digest = proof.proven else { throw FileError(.failed) }
      if size > digest.count {
        try await output.change(FileAttributeChange(size: digest.count))
      }
      return digest
    } catch { throw Self.failure(.verifying, error) }
  }

  // MARK: The data

  private func transfer(
    _ input: any OpenFile,
    _ before: FileAttributes,
    _ output: any OpenFile,
    _ digest: ContentDigest
  ) async throws(CopyFailure) -> (count: UInt64, digest: [UInt8]) {
    if source.files === target.files, source.files.abilities.contains(.copyData),
      digest.count == 0, let size = before.size, size > 0
    {
      do throws(FileError) {
        var done: UInt64 = 0
        while done < size {
          if request.control.isPausing { throw FileError(.cancelled) }
          let step = min(Self.serverStep, size - done)
          try await source.files.copyData(from: input, to: output, offset: done, length: step)
          done += step
          progress(done)
        }
        return (size, [])
      } catch {
        if request.control.isPausing { throw CopyFailure(.paused) }
        // A server that announces it and cannot do it here is served as any other.
        guard error.reason == .unsupported else { throw Self.failure(.writing, error) }
      }
    }
    return try await stream(input, before, output, digest)
  }

  private func stream(
    _ input: any OpenFile,
    _ before: FileAttributes,
    _ output: any OpenFile,
    _ digest: ContentDigest
  ) async throws(CopyFailure) -> (count: UInt64, digest: [UInt8]) {
    // Files that the system makes up have no size: they are read to their end.
    let end = before.size.flatMap { $0 == 0 ? nil : $0 }
    let reader = input.reader(from: digest.count, to: end)
    let writer = output.writer(at: digest.count)
    do throws(CopyFailure) {
      var next = await Self.nextPiece(reader)
      while let bytes = try next.get(), !request.control.isPausing {
        // The next piece is fetched while this one is written.
        async let following = Self.nextPiece(reader)
        await request.bandwidth?.take(bytes.count, request.control)
        digest.update(bytes)
        try await Self.step(.writing) { () async throws(FileError) in try await writer.write(bytes)
        }
        next = await following
        progress(digest.count)
      }
      try await Self.step(.writing) { () async throws(FileError) in try await writer.finish() }
    } catch {
      await reader.stop()
      let failure = await resumable(error, before, writer, digest)
      await writer.stop()
      throw failure
    }
    guard request.control.isPausing, digest.count < end ?? .max else {
      return (digest.count, digest.value())
    }
    await reader.stop()
    digest.mark()
    var failure = CopyFailure(.paused)
    failure.checkpoint = checkpoint(before, digest)
    failure.leftBehind = partial
    throw failure
  }

  private static func nextPiece(
    _ reader: any FileReading
  ) async -> Result<ArraySlice<UInt8>?, CopyFailure> {
    do throws(FileError) {
      return .success(try await reader.next())
    } catch { return .failure(failure(.reading, error)) }
  }

  private static func step<Value>(
    _ step: CopyStep,
    _ body: () async throws(FileError) -> Value
  ) async throws(CopyFailure) -> Value {
    do throws(FileError) { return try await body() } catch { throw failure(step, error) }
  }

  /// A failure from which the copy can go on, when the connection was lost and what was written can be proved.
  private func resumable(
    _ failure: CopyFailure,
    _ before: FileAttributes,
    _ writer: any FileWriting,
    _ digest: ContentDigest
  ) async -> CopyFailure {
    guard case .operation(let step, let error) = failure.reason, error.endsConnection else {
      return failure
    }
    var failure = failure
    if step == .reading {
      // The target is still there: everything that was taken can be written.
      do throws(FileError) {
        try await writer.finish()
        digest.mark()
      } catch { return failure }
    }
    guard !digest.milestones.isEmpty else { return failure }
    failure.checkpoint = checkpoint(before, digest)
    failure.leftBehind = partial
    return failure
  }

  private func checkpoint(_ before: FileAttributes, _ digest: ContentDigest) -> CopyCheckpoint {
    CopyCheckpoint(partial: partial, source: before, milestones: digest.milestones)
  }

  // MARK: The checks

  private func check(
    _ input: any OpenFile,
    _ before: FileAttributes,
    _ output: any OpenFile,
    _ count: UInt64
  ) async throws(CopyFailure) {
    async let state = sizeOnceSynced(output)
    let after = try await Self.step(.reading) { () async throws(FileError) in
      try await input.attributes()
    }
    let isShort = before.size.map { $0 != 0 && $0 != count } ?? false
    guard !isShort, after.isUnchanged(since: before) else { throw CopyFailure(.sourceChanged) }
    if let size = try await state.get(), size != count {
      throw CopyFailure(.sizeDiffers(written: count, found: size))
    }
  }

  /// The size of what was written, once it is on the disk where that is wanted.
  private func sizeOnceSynced(_ output: any OpenFile) async -> Result<UInt64?, CopyFailure> {
    do throws(CopyFailure) {
      if request.options.syncs, target.files.abilities.contains(.sync) {
        try await Self.step(.writing) { () async throws(FileError) in try await output.sync() }
      }
      let found = try await Self.step(.verifying) { () async throws(FileError) in
        try await output.attributes()
      }
      return .success(found.size)
    } catch { return .failure(error) }
  }

  /// Sets permissions and times, each by itself: a server that refuses one may do the other.
  private func keepAttributes(
    _ before: FileAttributes,
    _ output: any OpenFile
  ) async -> [FileError] {
    async let first = Self.problem(
      output,
      FileAttributeChange(permissions: permissions(of: before))
    )
    async let second = Self.problem(output, FileAttributeChange(times: times(of: before)))
    return await [first, second].compactMap { $0 }
  }

  private static func problem(
    _ output: any OpenFile,
    _ change: FileAttributeChange
  ) async -> FileError? {
    guard !change.isEmpty else { return nil }
    do throws(FileError) {
      try await output.change(change)
      return nil
    } catch { return error }
  }
}
