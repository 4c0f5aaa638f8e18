import FoundationEssentials

/// A folder of a person's small text files: themes or keymaps.
///
/// Reading blocks for as long as the disk takes; nothing larger than `largestFile` is read.
public struct ConfigurationFolder: Hashable, Sendable {
  /// The most bytes that a file may have.
  public static let largestFile = 1 << 20

  /// Why a file gave no text.
  enum ReadError: Error, Hashable {
    case missing
    case unreadable(String)
  }

  /// Absolute path; it need not exist.
  public let path: String

  /// Names a folder.
  public init(path: String) { self.path = path }

  /// The names of its files, sorted; empty when there is no such folder.
  public func names() -> [String] {
    // A folder that is absent or closed to us offers nothing; that is no fault of the person's.
    guard let found = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [] }
    return found.filter { Self.isPlainName($0) && !$0.hasSuffix("~") }.sorted()
  }

  func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

  func text(of name: String) throws(ReadError) -> String {
    guard Self.isPlainName(name) else { throw .missing }
    guard FileManager.default.fileExists(atPath: path(of: name)) else { throw .missing }
    // Links are followed first: what they lead to must be a plain file, or reading could wait for ever.
    let place = URL(filePath: path(of: name)).resolvingSymlinksInPath()
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: place.path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else {
        throw ReadError.unreadable("it is not a plain file")
      }
      let size = (attributes[.size] as? any BinaryInteger).map { Int(clamping: $0) } ?? 0
      let data = size <= Self.largestFile ? try Data(contentsOf: place) : Data()
      guard size <= Self.largestFile, data.count <= Self.largestFile else {
        throw ReadError.unreadable("it is larger than \(Self.largestFile / 1_024) KiB")
      }
      return String(decoding: data, as: UTF8.self)
    } catch let error as ReadError {
      throw error
    } catch {
      throw .unreadable("it cannot be read")
    }
  }

  /// A name that stays inside its folder.
  static func isPlainName(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") && !name.contains("\0")
  }
}
