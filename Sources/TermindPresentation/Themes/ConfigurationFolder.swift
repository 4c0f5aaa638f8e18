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
    let place = path(of: name)
    var isFolder = false
    guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) else {
      throw .missing
    }
    guard !isFolder else { throw .unreadable("it is a folder") }
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: place)
      guard
        attributes[.type] as? FileAttributeType == .typeRegular
          || attributes[.type] as? FileAttributeType == .typeSymbolicLink
      else { throw ReadError.unreadable("it is not a plain file") }
      let handle = try Data(contentsOf: URL(filePath: place), options: [])
      guard handle.count <= Self.largestFile else {
        throw ReadError.unreadable("it is larger than \(Self.largestFile / 1_024) KiB")
      }
      return String(decoding: handle, as: UTF8.self)
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
