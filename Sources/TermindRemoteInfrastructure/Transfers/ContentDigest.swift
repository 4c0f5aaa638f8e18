internal import TermindDomain

/// A running SHA-256 digest of a file's bytes, with its milestones.
///
/// Used by one task at a time.
final class ContentDigest {
  /// How far milestones are apart.
  static let step: UInt64 = 8_388_608

  private let digest: DigestHandle
  private(set) var count: UInt64
  private(set) var milestones: [CopyCheckpoint.Milestone]

  /// Starts a digest; nil when the library refuses.
  init?() {
    guard let digest = DigestHandle(.sha256) else { return nil }
    self.digest = digest
    count = 0
    milestones = []
  }

  /// Goes on where another one is, with these milestones; nil when the library refuses.
  init?(copying other: ContentDigest, milestones: [CopyCheckpoint.Milestone]) {
    guard let digest = DigestHandle(copying: other.digest) else { return nil }
    self.digest = digest
    count = other.count
    self.milestones = milestones
  }

  /// Takes the next bytes.
  func update(_ bytes: ArraySlice<UInt8>) {
    digest.update(bytes)
    let before = count / Self.step
    count += UInt64(bytes.count)
    if count / Self.step != before { mark() }
  }

  /// Remembers the present place.
  func mark() {
    guard count > milestones.last?.offset ?? 0 else { return }
    milestones.append(CopyCheckpoint.Milestone(offset: count, digest: digest.snapshot()))
  }

  /// The digest of everything so far.
  func value() -> [UInt8] { digest.snapshot() }
}

/// Compares what is in a file with the milestones that were noted when it was written.
///
/// Used by one task at a time.
final class ContentProof {
  private let wanted: [CopyCheckpoint.Milestone]
  private let digest: ContentDigest
  private var metCount = 0
  /// Whether more bytes would tell nothing.
  private(set) var isOver: Bool
  /// The digest up to the last milestone that was met; nil when the library refuses.
  private(set) var proven: ContentDigest?

  /// Begins to compare; nil when the library refuses.
  ///
  /// - Parameter wanted: The milestones, from the first to the last.
  init?(_ wanted: [CopyCheckpoint.Milestone]) {
    guard let digest = ContentDigest(), let proven = ContentDigest() else { return nil }
    self.wanted = wanted
    self.digest = digest
    self.proven = proven
    isOver = wanted.isEmpty
  }

  /// Takes the next bytes of the file.
  func update(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty, !isOver {
      let milestone = wanted[metCount]
      let part = rest.prefix(Int(min(UInt64(rest.count), milestone.offset - digest.count)))
      digest.update(part)
      rest = rest.dropFirst(part.count)
      guard digest.count == milestone.offset else { continue }
      guard digest.value() == milestone.digest else {
        isOver = true
        return
      }
      metCount += 1
      proven = ContentDigest(copying: digest, milestones: Array(wanted.prefix(metCount)))
      isOver = metCount == wanted.count
    }
  }
}
