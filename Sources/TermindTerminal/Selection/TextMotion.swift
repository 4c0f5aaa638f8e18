/// A movement through the text of a terminal.
public enum TextMotion: Hashable, Sendable {
  /// Letters and digits, other signs, blanks.
  enum Kind { case word, sign, blank }

  /// By one character; over the ends of lines.
  case left, right
  /// By one row.
  case up, down
  /// To the first column of the row, its first character that is no blank, its last one.
  case rowStart, firstCharacter, rowEnd
  /// To the start of the next word, the end of a word, the start of a word before; big ones end at blanks alone.
  case wordStart(isBig: Bool), wordEnd(isBig: Bool), wordBack(isBig: Bool)
  /// To the blank line before or after a paragraph.
  case paragraphBack, paragraphForward
  /// To the bracket that belongs to the next bracket of the line.
  case bracket
  /// To the oldest and the newest row.
  case top, bottom
  /// To a character of the row, or beside it.
  case character(UInt32, isForward: Bool, isBeside: Bool)
}

extension TextReader {
  /// Moves from a place; a movement that is not possible stays where it is.
  ///
  /// - Parameters:
  ///   - motion: How to move.
  ///   - start: Where to begin.
  /// - Returns: Where the movement ends.
  public mutating func move(_ motion: TextMotion, from start: CellPosition) -> CellPosition {
    let start = clamped(start)
    switch motion {
    case .left: return before(start)?.position ?? start
    case .right: return after(start)?.position ?? start
    case .up: return clamped(CellPosition(row: start.row - 1, column: start.column))
    case .down: return clamped(CellPosition(row: start.row + 1, column: start.column))
    case .rowStart: return CellPosition(row: start.row, column: 0)
    case .firstCharacter:
      let first = row(start.row).scalars.firstIndex { $0 != 0 && $0 != 0x20 }
      return CellPosition(row: start.row, column: first ?? 0)
    case .rowEnd:
      return clamped(CellPosition(row: start.row, column: max(row(start.row).used - 1, 0)))
    case .wordStart(let isBig): return wordStart(start, isBig)
    case .wordEnd(let isBig): return wordEnd(start, isBig)
    case .wordBack(let isBig): return wordBack(start, isBig)
    case .paragraphBack: return paragraph(start, step: -1)
    case .paragraphForward: return paragraph(start, step: 1)
    case .bracket: return bracket(start)
    case .top: return CellPosition(row: rows.lowerBound, column: 0)
    case .bottom: return clamped(CellPosition(row: rows.upperBound - 1, column: start.column))
    case .character(let scalar, let isForward, let isBeside):
      return character(scalar, start, isForward, isBeside)
    }
  }

  // MARK: Words

  private mutating func wordStart(_ start: CellPosition, _ isBig: Bool) -> CellPosition {
    let first = kind(start, isBig: isBig)
    var place = start
    while first != .blank, kind(place, isBig: isBig) == first {
      guard let next = after(place) else { return place }
      place = next.position
      if next.isBroken { break }
    }
    while kind(place, isBig: isBig) == .blank {
      // An empty line is a word of its own.
      if place.row != start.row, row(place.row).used == 0 { return place }
      guard let next = after(place) else { return place }
      place = next.position
    }
    return place
  }

  private mutating func wordEnd(_ start: CellPosition, _ isBig: Bool) -> CellPosition {
    guard var place = after(start)?.position else { return start }
    while kind(place, isBig: isBig) == .blank {
      guard let next = after(place) else { return place }
      place = next.position
    }
    let inside = kind(place, isBig: isBig)
    while let next = after(place), !next.isBroken, kind(next.position, isBig: isBig) == inside {
      place = next.position
    }
    return place
  }

  private mutating func wordBack(_ start: CellPosition, _ isBig: Bool) -> CellPosition {
    guard var place = before(start)?.position else { return start }
    while kind(place, isBig: isBig) == .blank {
      if place.row != start.row, row(place.row).used == 0 { return place }
      guard let next = before(place) else { return place }
      place = next.position
    }
    let inside = kind(place, isBig: isBig)
    while let next = before(place), !next.isBroken, kind(next.position, isBig: isBig) == inside {
      place = next.position
    }
    return place
  }

  /// The word around a place, or the run of blanks; over soft wraps.
  ///
  /// - Parameters:
  ///   - position: The place.
  ///   - isBig: Whether only blanks end a word, as for addresses and paths.
  /// - Returns: The first and the last character.
  public mutating func word(
    at position: CellPosition,
    isBig: Bool
  ) -> (first: CellPosition, last: CellPosition) {
    let start = clamped(position)
    let inside = kind(start, isBig: isBig)
    var (first, last) = (start, start)
    while let next = before(first), !next.isBroken, kind(next.position, isBig: isBig) == inside {
      first = next.position
    }
    while let next = after(last), !next.isBroken, kind(next.position, isBig: isBig) == inside {
      last = next.position
    }
    return (first, last)
  }

  // MARK: Paragraphs, brackets, characters

  private mutating func paragraph(_ start: CellPosition, step: Int) -> CellPosition {
    var number = start.row
    // The blank lines at the start belong to no paragraph.
    while rows.contains(number + step), row(number).used == 0 { number += step }
    while rows.contains(number + step), row(number).used > 0 { number += step }
    return CellPosition(row: number, column: 0)
  }

  /// Characters to look at for the other bracket.
  private static let bracketReach = 200_000

  private mutating func bracket(_ start: CellPosition) -> CellPosition {
    let pairs: [(UInt32, UInt32)] = [(0x28, 0x29), (0x5B, 0x5D), (0x7B, 0x7D), (0x3C, 0x3E)]
    var place = start
    var pair: (own: UInt32, other: UInt32, isForward: Bool)?
    while pair == nil {
      let scalar = row(place.row).scalars[place.column]
      if let found = pairs.first(where: { $0.0 == scalar }) { pair = (found.0, found.1, true) }
      if let found = pairs.first(where: { $0.1 == scalar }) { pair = (found.1, found.0, false) }
      if pair != nil { break }
      guard let next = after(place), !next.isBroken else { return start }
      place = next.position
    }
    guard let pair else { return start }
    var depth = 1
    for _ in 0..<Self.bracketReach {
      guard let next = pair.isForward ? after(place) : before(place) else { return start }
      place = next.position
      let scalar = row(place.row).scalars[place.column]
      if scalar == pair.own { depth += 1 }
      if scalar == pair.other { depth -= 1 }
      if depth == 0 { return place }
    }
    return start
  }

  private mutating func character(
    _ scalar: UInt32,
    _ start: CellPosition,
    _ isForward: Bool,
    _ isBeside: Bool
  ) -> CellPosition {
    let scalars = row(start.row).scalars
    let step = isForward ? 1 : -1
    // Beside a character, the next one of its kind is meant.
    var column = start.column + (isBeside ? 2 * step : step)
    while scalars.indices.contains(column) {
      if scalars[column] == scalar {
        return clamped(CellPosition(row: start.row, column: isBeside ? column - step : column))
      }
      column += step
    }
    return start
  }
}
