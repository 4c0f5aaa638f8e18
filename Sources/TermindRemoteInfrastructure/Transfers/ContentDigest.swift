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
  init?(milestones: [CopyCheckpoint.Milestone] = []) {
    guard let digest = DigestHandle(.sha256) else { return nil }
    self.digest = digest
    count = 0
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
