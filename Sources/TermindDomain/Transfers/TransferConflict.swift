/// What to do with a name that is taken at the target.
public enum ConflictPolicy: String, Hashable, Sendable, CaseIterable, Codable {
  /// Leave what is there; directories are merged all the same.
  case skip
  /// Replace files; merge directories.
  case overwrite
  /// Replace a file that differs in size, or is older than the source; merge directories.
  case overwriteIfNewerOrSizeDiffers
  /// Replace a file that differs in size or time, also by an older one; merge directories.
  case overwriteIfDiffers
  /// Copy under a free name.
  case keepBoth
}

/// What a conflict comes to.
public enum ConflictDecision: Hashable, Sendable {
  /// The name is free.
  case create
  /// What is there is replaced.
  case replace
  /// Both are directories: what is inside meets one by one.
  case merge
  /// What is there stays.
  case skip
  /// The copy gets another name.
  case createUnder(FileName)
  /// It cannot be done: a directory stands where a file should go, or the other way round.
  case refuse
}

/// Decides conflicts, by what is known of both sides.
public enum ConflictRules {
  /// Decides one conflict.
  ///
  /// - Parameters:
  ///   - name: The name at the target.
  ///   - source: What is copied.
  ///   - target: What is there; nil when the name is free.
  ///   - policy: What the person chose.
  ///   - isTaken: Whether another name in the directory is taken.
  /// - Returns: The decision.
  public static func decide(
    _ name: FileName,
    source: FileAttributes,
    target: FileAttributes?,
    policy: ConflictPolicy,
    isTaken: (FileName) -> Bool
  ) -> ConflictDecision {
    guard let target else { return .create }
    let (isFromDirectory, isToDirectory) = (source.kind == .directory, target.kind == .directory)
    if policy == .keepBoth {
      return freeName(name, isDirectory: isFromDirectory, isTaken).map { .createUnder($0) }
        ?? .refuse
    }
    if isFromDirectory, isToDirectory { return .merge }
    if policy == .skip { return .skip }
    guard isFromDirectory == isToDirectory else { return .refuse }
    // Writing into a pipe or a device is no copy.
    guard !target.kind.isSpecial else { return .refuse }
    switch policy {
    case .overwriteIfNewerOrSizeDiffers:
      return isNewerOrDiffers(source, target) ? .replace : .skip
    case .overwriteIfDiffers: return isAlike(source, target) ? .skip : .replace
    case .skip, .overwrite, .keepBoth: return .replace
    }
  }

  private static func isNewerOrDiffers(_ source: FileAttributes, _ target: FileAttributes) -> Bool {
    guard let (time, targetTime) = times(source, target) else { return true }
    return time > targetTime
  }

  /// Whether two files seem to be the same by kind, size and the second of their last change.
  public static func isAlike(_ source: FileAttributes, _ target: FileAttributes) -> Bool {
    guard let (time, targetTime) = times(source, target) else { return false }
    return time == targetTime
  }

  /// The seconds of both changes; nil when kind or size differ, or something is not known.
  private static func times(
    _ source: FileAttributes,
    _ target: FileAttributes
  ) -> (Int64, Int64)? {
    guard let size = source.size, let targetSize = target.size, size == targetSize,
      source.kind == target.kind, let time = source.modified, let targetTime = target.modified
    else { return nil }
    return (time.seconds, targetTime.seconds)
  }

  /// The first free name of the form `name (2).txt`; nil after ten thousand tries.
  public static func freeName(
    _ name: FileName,
    isDirectory: Bool,
    _ isTaken: (FileName) -> Bool
  ) -> FileName? {
    let extensionCount =
      isDirectory || name.pathExtension.isEmpty ? 0 : name.pathExtension.count + 1
    let stem = name.bytes.dropLast(extensionCount)
    let tail = name.bytes.suffix(extensionCount)
    for number in 2...10_000 {
      let mark = Array(" (\(number))".utf8)
      let room = max(1, 255 - mark.count - tail.count)
      // A name that is cut is cut between characters.
      let kept = stem.count <= room ? stem : cut(stem, to: room)
      guard let candidate = try? FileName(kept + mark + tail) else { return nil }
      if !isTaken(candidate) { return candidate }
    }
    return nil
  }

  /// The first bytes, cut between characters.
  static func cut(_ bytes: ArraySlice<UInt8>, to count: Int) -> ArraySlice<UInt8> {
    var end = bytes.startIndex + count
    while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return bytes[..<end]
  }
}
