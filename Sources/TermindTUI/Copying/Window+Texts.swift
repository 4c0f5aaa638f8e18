import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindTerminal

/// A pane's text in an editor, in a pager, or in a file.
extension Window {
  /// Opens a part of the text in the person's editor.
  func editText(_ part: Action.TextPart) {
    open(part, isStyled: false) { [services = server.services] in services.editorWords(for: $0) }
  }

  /// Opens a part of the text in less, with its colours.
  func pageText(_ part: Action.TextPart) {
    let words = part == .scrollback ? ["less", "-R", "+G"] : ["less", "-R"]
    open(part, isStyled: true) { words + [$0] }
  }

  /// Asks for a name, and writes a part of the text there.
  func saveText(_ part: Action.TextPart) {
    guard let pane = focusedPane, let text = text(part, of: pane, isStyled: false) else { return }
    let name = PaneText.title(pane).map { $0.isLetter || $0.isNumber ? $0 : "-" }
    let form = Form(
      title: part == .output ? "Save the last output" : "Save the pane's text",
      rows: [Form.Row("File", text: "~/\(String(name)).txt", placeholder: "~/output.txt")],
      hints: [KeyHint("enter", "save"), KeyHint("esc", "close")]
    )
    present(
      FormSheet(form) { [weak self] texts in
        guard let self, let name = texts.first, !name.isEmpty else { return "Which file?" }
        let path = name.hasPrefix("~/") ? server.services.home + name.dropFirst() : name
        guard path.hasPrefix("/") else { return "The path begins with / or ~/." }
        Task { [weak self] in
          do throws(VaultFileError) {
            try await VaultFile.write(text, to: path)
            self?.show(Notice(.done, "\(path) has the text."))
          } catch { self?.show(Notice(.problem, error.sentence)) }
        }
        return nil
      }
    )
  }

  /// The text of a part; nil after it was said why there is none.
  private func text(_ part: Action.TextPart, of pane: Pane, isStyled: Bool) -> [UInt8]? {
    guard let surface = pane.surface else {
      show(Notice(.info, "There is no text in this pane."))
      return nil
    }
    let text: [UInt8] = surface.withTerminal { terminal in
      switch part {
      case .scrollback:
        isStyled
          ? terminal.styledText()
          : Array((terminal.captureText(includingScrollback: true) + "\n").utf8)
      case .output:
        terminal.lastOutput.map { output in
          isStyled
            ? terminal.styledText(lines: output.first.line...output.last.line)
            : Array((terminal.text(of: output) + "\n").utf8)
        } ?? []
      }
    }
    guard !text.isEmpty else {
      show(Notice(.info, missingOutput(pane)))
      return nil
    }
    return text
  }

  /// Runs a program on a file with a part of the text; the file goes with the program.
  private func open(
    _ part: Action.TextPart,
    isStyled: Bool,
    with words: @escaping (String) -> [String]
  ) {
    guard let pane = focusedPane, let text = text(part, of: pane, isStyled: isStyled) else {
      return
    }
    Task { [weak self, scratch = server.services.scratch] in
      do throws(CopyFailure) {
        let place = try await scratch.make()
        let remove: @MainActor () -> Void = { Task { await place.remove() } }
        do throws(CopyFailure) {
          let file = try await place.write(text, as: "text")
          let title = "\(part == .output ? "output" : "text") of \(PaneText.title(pane))"
          let made = self?.openHelper(
            words(file),
            in: self?.directory,
            titled: title,
            showsText: isStyled
          ) { _ in remove() }
          if made == nil { remove() }
        } catch {
          remove()
          throw error
        }
      } catch { self?.show(Notice(.problem, ErrorText.sentence(error, copying: scratch.path))) }
    }
  }
}
