import TermindDomain
import TermindScreen
import TermindUnicode

/// A name as it is drawn: exactly as wide as it may be, with everything that is no plain text as a visible stand-in.
enum FileNameSpans {
  private struct Piece {
    let text: String
    let columns: Int
    let isEscape: Bool
  }

  /// The pieces of a name.
  ///
  /// - Parameters:
  ///   - bytes: The name.
  ///   - suffix: What stands behind it, such as the slash of a directory; kept when the name is cut.
  ///   - limit: Most columns.
  ///   - plain: The style of the text.
  ///   - escape: The style of stand-ins.
  /// - Returns: The pieces, in at most that many columns.
  static func spans(
    _ bytes: [UInt8],
    suffix: String = "",
    limit: Int,
    _ plain: ScreenStyle,
    _ escape: ScreenStyle
  ) -> [TextSpan] {
    let (front, middle, back) = FileText.edges(of: bytes)
    if front + back == 0, bytes.count + suffix.utf8.count <= limit,
      bytes.allSatisfy({ 0x20..<0x7F ~= $0 })
    {
      return [TextSpan(String(decoding: bytes, as: UTF8.self) + suffix, plain)]
    }
    // A blank at an end is part of the name, and would not be seen.
    let blank = Piece(text: FileText.blank, columns: 4, isEscape: true)
    let pieces =
      Array(repeating: blank, count: front)
      + DisplayText(bytes: middle).map {
        Piece(text: $0.text, columns: $0.columns, isEscape: $0.isEscape)
      } + Array(repeating: blank, count: back)
    let room = max(limit - suffix.utf8.count, 0)
    var spans: [TextSpan] = []
    var run = ""
    var isEscape = false
    var used = 0
    // What stands where the ellipsis would go; kept only when all of it fits.
    var fitting: (spans: Int, run: String, isEscape: Bool)?
    func close() {
      guard !run.isEmpty else { return }
      spans.append(TextSpan(run, isEscape ? escape : plain))
      run = ""
    }
    for item in pieces {
      if used + item.columns > room {
        if let fitting {
          spans.removeLast(spans.count - fitting.spans)
          (run, isEscape) = (fitting.run, fitting.isEscape)
        }
        close()
        spans.append(TextSpan("…", plain))
        return spans + suffixSpan(suffix, plain)
      }
      if item.isEscape != isEscape { close() }
      isEscape = item.isEscape
      if used + item.columns <= room - 1 {
        run += item.text
        fitting = (spans.count, run, isEscape)
      } else {
        if fitting == nil { fitting = (spans.count, run, isEscape) }
        run += item.text
      }
      used += item.columns
    }
    close()
    return spans + suffixSpan(suffix, plain)
  }

  private static func suffixSpan(_ suffix: String, _ style: ScreenStyle) -> [TextSpan] {
    suffix.isEmpty ? [] : [TextSpan(suffix, style)]
  }
}
