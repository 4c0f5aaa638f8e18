internal import FoundationEssentials
public import TermindApplication

/// The file of the last session, with the one that was written before it.
///
/// A newest one that cannot be read, whatever happened to it, leads back to the one before.
public actor SessionFile {
  /// What is added to the names of files that could not be read, when others take their place.
  public static let unreadSuffix = ".unread"

  /// The most bytes that are read.
  public static let limit = 64 << 20

  /// What was found.
  public struct Found: Sendable {
    /// The session; nil when there is none that can be read.
    public var session: SessionSnapshot?
    /// What was wrong with files that were passed over, a sentence each.
    public var problems: [String] = []
  }

  private let path: String
  private var last: SessionSnapshot?
  /// Whether the newest file is known to be whole, and so worth keeping when another takes its place.
  private var isNewestWhole = false
  /// Whether there are files of which none could be read: of a newer version, or damaged.
  private var hasUnread = false
  private let executor = QueueExecutor(label: "termind.session")

  /// A queue of its own: syncing a file waits for the disk.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Names the file; nothing is touched.
  public init(path: String) { self.path = path }

  private var newest: WholeFile { WholeFile(path: path) }
  private var previous: WholeFile { WholeFile(path: path + ".old") }

  /// Whether there is anything to read; asks the system only.
  public nonisolated var exists: Bool {
    WholeFile(path: path).identity() != nil || WholeFile(path: path + ".old").identity() != nil
  }

  /// Reads the newest session that is whole.
  public func read() -> Found {
    var found = Found()
    for file in [newest, previous] where found.session == nil {
      do throws(WholeFileError) {
        guard let (bytes, _) = try file.read(limit: Self.limit) else { continue }
        found.session = Self.decoded(bytes)
        isNewestWhole = found.session != nil && file.path == path
        if found.session == nil {
          found.problems.append("\(file.path) is damaged, or of another version of Termind.")
        }
      } catch {
        found.problems.append(Self.text(error))
      }
    }
    last = isNewestWhole ? found.session : nil
    hasUnread = found.session == nil && !found.problems.isEmpty
    return found
  }

  /// Writes a session unless it is the one that was written last; an empty one leaves no file.
  ///
  /// Files of which none could be read are put aside first: another version, or a person, may make something of them.
  /// - Parameter session: What is to be brought back.
  /// - Throws: Why it cannot be written; what was there is there still.
  public func write(_ session: SessionSnapshot) throws(WholeFileError) {
    guard session != last else { return }
    if hasUnread {
      for file in [newest, previous] { file.move(to: file.path + Self.unreadSuffix) }
      hasUnread = false
    }
    if session.isEmpty {
      newest.remove()
      previous.remove()
      isNewestWhole = false
    } else {
      let data: Data
      do { data = try JSONEncoder().encode(session) } catch {
        throw .notWritable(path: path, diagnostic: "\(error)")
      }
      let (newest, previous, isWhole) = (newest, previous, isNewestWhole)
      let file = WholeFile(path: path) { if isWhole { newest.move(to: previous.path) } }
      _ = try file.replace(with: Array(data))
      isNewestWhole = true
    }
    last = session
  }

  private static func decoded(_ bytes: [UInt8]) -> SessionSnapshot? {
    guard let session = try? JSONDecoder().decode(SessionSnapshot.self, from: Data(bytes)),
      session.form == SessionSnapshot.currentForm
    else { return nil }
    return session
  }

  private static func text(_ error: WholeFileError) -> String {
    switch error {
    case .unsafeFile(let path, let reason): "\(path) is not read: it is \(reason)."
    case .unreadable(let path, let diagnostic), .notWritable(let path, let diagnostic):
      "\(path): \(diagnostic)."
    }
  }
}
