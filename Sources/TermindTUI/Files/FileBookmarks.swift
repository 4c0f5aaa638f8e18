import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPersistence

/// The directories that are worth coming back to, by account.
struct FileBookmarks: Hashable {
  private var all: [FilePlace: [RemotePath]] = [:]

  /// No bookmarks.
  init() {}

  /// Those of an account, in the order in which they were made.
  func places(of place: FilePlace) -> [RemotePath] { all[place] ?? [] }

  /// Keeps a directory, or forgets it.
  mutating func toggle(_ directory: RemotePath, of place: FilePlace) {
    var paths = all[place] ?? []
    if let known = paths.firstIndex(of: directory) {
      paths.remove(at: known)
    } else {
      paths.append(directory)
    }
    all[place] = paths.isEmpty ? nil : paths
  }

  // MARK: As text

  /// The text that is kept: a line for each, account and path in base 64, since both may hold anything.
  var text: String {
    let lines = all.flatMap { place, paths -> [String] in
      let account =
        switch place {
        case .thisMachine: ""
        case .server(let name): Data(name.utf8).base64EncodedString()
        }
      return paths.map { "\(account) \(Data($0.bytes).base64EncodedString())" }
    }
    return lines.joined(separator: "\n")
  }

  /// Reads a text; what cannot be read is left out.
  init(text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 2, let account = Data(base64Encoded: String(parts[0])),
        let bytes = Data(base64Encoded: String(parts[1])), let path = RemotePath(bytes)
      else { continue }
      let place: FilePlace =
        account.isEmpty ? .thisMachine : .server(String(decoding: account, as: UTF8.self))
      all[place, default: []].append(path)
    }
  }
}

extension WindowServer {
  private static let bookmarkSetting = "files.bookmarks"

  /// Reads the bookmarks that were kept, once.
  func loadBookmarks() async {
    await services.storeSettled()
    guard !hasBookmarks, let store = services.store else { return }
    do throws(StoreError) {
      let text = try await store.setting(Self.bookmarkSetting)
      guard !hasBookmarks else { return }
      hasBookmarks = true
      bookmarks = FileBookmarks(text: text ?? "")
    } catch {
      services.log.write(.warning, "the bookmarks were not read: \(error)")
    }
  }

  /// Keeps a directory as a bookmark, or forgets it.
  func toggleBookmark(_ directory: RemotePath, of place: FilePlace) {
    bookmarks.toggle(directory, of: place)
    let text = bookmarks.text
    Task {
      do throws(StoreError) {
        try await services.store?.setSetting(Self.bookmarkSetting, to: text.isEmpty ? nil : text)
      } catch {
        services.log.write(.warning, "the bookmarks were not written: \(error)")
      }
    }
  }
}
