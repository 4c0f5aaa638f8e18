import TermindApplication
import TermindDomain

/// The pane of files that stands beside this one.
extension FilesController {
  /// What to do where there are several.
  static let insteadOfOthers = "close or zoom out of all but one"

  /// The other panes of files of the workspace that show a directory.
  func others(in window: Window) -> [FilesController] {
    (window.workspace?.panes ?? []).compactMap { window.server.panes[$0]?.files }
      .filter { $0 !== self && $0.model.directory != nil }
  }

  /// The only other pane of files of the workspace; that there is none, or several, is said.
  ///
  /// - Parameters:
  ///   - window: The window that shows both.
  ///   - instead: What to do where there are several.
  /// - Returns: The other one.
  func onlyOther(
    in window: Window,
    instead: String = FilesController.insteadOfOthers
  ) -> FilesController? {
    let others = others(in: window)
    guard let other = others.first else {
      problem = "There is no other file pane in this workspace."
      return nil
    }
    guard others.count == 1 else {
      problem = "There are several other file panes: \(instead)."
      return nil
    }
    return other
  }
}
