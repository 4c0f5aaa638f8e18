import TermindUnicode

extension TerminalState {
  /// Takes text and plain SGR from `start` up to the next control character but LF and CR, and says where that is.
  ///
  /// ESC stops it too where it begins another sequence, or one that is not complete. An 8-bit control that begins a
  /// sequence ends the text past the control, and is noted in `stop`.
  mutating func takeText(_ bytes: RawSpan, from start: Int) -> Int {
    let count = bytes.byteCount
    var place = start
    while place < count {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)
      if byte >= 0x80 {
        place = printEncoded(bytes, from: place)
        if stop != nil { return place }
        continue
      }
      if decoder.isPending { flushIncompleteText() }
      if byte >= 0x20, byte != 0x7F {
        if isPlainText {
          place &+= printASCII(bytes, from: place)
        } else {
          printGraphic(UInt32(byte))
          place &+= 1
        }
      } else if byte == 0x1B {
        let length = takeRendition(bytes, at: place)
        if length == 0 { return place }
        place &+= length
      } else {
        guard byte == 0x0A || byte == 0x0D else { return place }
        control(byte)
        place &+= 1
      }
    }
    return place
  }

  /// Shows U+FFFD for a character that was cut off.
  mutating func flushIncompleteText() {
    guard decoder.isPending else { return }
    decoder.reset()
    printScalar(0xFFFD)
  }

  // MARK: ASCII

  /// Prints one row's worth of the plain ASCII at `start`, and says how many bytes.
  @inline(__always)
  private mutating func printASCII(_ bytes: RawSpan, from start: Int) -> Int {
    if pendingWrap, settings.autowrap { wrapLine() }
    let limit = rightLimit
    let row = cursorRow
    let column = cursorColumn
    let look = currentLook
    let written = grid.writeASCII(
      bytes,
      from: start,
      limit: limit - column,
      row: row,
      column: column,
      look: look
    )
    guard written > 0 else { return 0 }
    lastScalar = unsafe UInt32(
      bytes.unsafeLoad(fromByteOffset: start + written - 1, as: UInt8.self)
    )
    lastGraphic = lastScalar
    isClusterOpen = true
    isBreakerFresh = false
    advance(to: column + written, limit: limit)
    return written
  }

  /// Prints a code below 0x80 through the character sets.
  mutating func printGraphic(_ code: UInt32) {
    let sets = charsets
    let set = sets.singleShift ?? sets.left
    if sets.singleShift != nil {
      charsets.singleShift = nil
      refreshPlainText()
    }
    let scalar = sets.sets[set].scalar(code)
    if scalar < 0x80 {
      isBreakerFresh = false
      lastScalar = scalar
      isClusterOpen = true
      place(scalar, width: 1)
    } else {
      printScalar(scalar)
    }
  }

  // MARK: Beyond ASCII

  /// Prints a run of bytes from 0x80 on; stops at ASCII, or past an 8-bit control that begins a sequence.
  private mutating func printEncoded(_ bytes: RawSpan, from start: Int) -> Int {
    let count = bytes.byteCount
    var place = start
    while place < count {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)
      if byte < 0x80 { return place }
      if let taken = printStandalone(bytes, from: place) {
        place &+= taken
        continue
      }
      switch decoder.step(byte) {
      case .more: break
      case .invalid: printScalar(0xFFFD)
      case .invalidBefore:
        printScalar(0xFFFD)
        continue
      case .scalar(let scalar):
        if scalar < 0xA0 {
          if eightBitControl(UInt8(scalar)) { return place + 1 }
        } else {
          printScalar(scalar)
        }
      }
      place += 1
    }
    return place
  }

  /// Performs an encoded C1 control; one that begins a sequence is noted, and said so.
  private mutating func eightBitControl(_ code: UInt8) -> Bool {
    switch code {
    case 0x90, 0x98, 0x9B, 0x9D, 0x9E, 0x9F:
      stop = code
      return true
    default:
      control(code)
      return false
    }
  }

  /// Prints one scalar: a cell of its own, or a part of the cell before it.
  mutating func printScalar(_ scalar: UInt32) {
    if isPlainWide(scalar), !hasWidthOverrides {
      isBreakerFresh = false
      lastScalar = scalar
      isClusterOpen = true
      place(scalar, width: 2)
      return
    }
    let width: Int
    let isBoundary: Bool
    if isClusterOpen, isBreakerFresh, !hasWidthOverrides, modes.graphemeClusters {
      let step = breaker.step(scalar)
      width = step.columns
      isBoundary = step.startsCluster
    } else {
      width = self.width(of: scalar)
      isBoundary = beginsCell(scalar, width: width)
    }
    lastScalar = scalar
    if !isBoundary {
      extendCell(with: scalar)
    } else if width > 0 {
      isClusterOpen = true
      place(scalar, width: width)
    }
  }

  /// Prints one row's worth of characters that are clusters of their own, and says how many bytes; nil where the
  /// general way is needed.
  @inline(__always)
  private mutating func printStandalone(_ bytes: RawSpan, from start: Int) -> Int? {
    guard !pendingWrap, !decoder.isPending, !settings.insert, !hasWidthOverrides,
      !(isClusterOpen && CharacterWidth.joinsStandalone(lastScalar))
    else { return nil }
    let limit = rightLimit
    let written = grid.writeStandalone(
      bytes,
      from: start,
      limit: limit - cursorColumn,
      row: cursorRow,
      column: cursorColumn,
      look: currentLook
    )
    guard written.bytes > 0 else { return nil }
    lastScalar = written.last
    lastGraphic = written.last
    isClusterOpen = true
    isBreakerFresh = false
    advance(to: cursorColumn + written.columns, limit: limit)
    return written.bytes
  }

  /// Syllables and ideographs that no character before them can join.
  @inline(__always)
  private func isPlainWide(_ scalar: UInt32) -> Bool {
    if scalar >= 0xAC00, scalar <= 0xD7A3 {
      return !(0x1100...0x115F).contains(lastScalar) && !(0xA960...0xA97C).contains(lastScalar)
    }
    return scalar >= 0x3400 && scalar <= 0x9FFF && (scalar <= 0x4DBF || scalar >= 0x4E00)
  }

  mutating func width(of scalar: UInt32) -> Int {
    if hasWidthOverrides, let width = configuration.widthOverrides[scalar] {
      return min(max(width, 1), 2)
    }
    return CharacterWidth.columns(of: scalar)
  }

  private mutating func beginsCell(_ scalar: UInt32, width: Int) -> Bool {
    guard modes.graphemeClusters else { return width > 0 }
    if isClusterOpen {
      if !isBreakerFresh {
        breaker.reset()
        _ = breaker.isBoundary(before: lastScalar)
        isBreakerFresh = true
      }
      return breaker.isBoundary(before: scalar)
    }
    breaker.reset()
    _ = breaker.isBoundary(before: scalar)
    isBreakerFresh = true
    return width > 0
  }

  /// Puts one character at the cursor and moves on.
  mutating func place(_ scalar: UInt32, width: Int) {
    put(GridCell(scalar: scalar, look: currentLook), width: width)
    lastGraphic = scalar
  }

  /// Puts a cell at the cursor, wrapping before it where it does not fit.
  mutating func put(_ cell: GridCell, width: Int) {
    if pendingWrap, settings.autowrap { wrapLine() }
    var limit = rightLimit
    if width == 2, cursorColumn + 2 > limit {
      if settings.autowrap, limit - leftMargin > 1 || cursorColumn < leftMargin {
        grid.fill(cursorRow, cursorColumn..<limit, with: eraseCell)
        grid[cursorRow, limit - 1].bits |= GridCell.fillerBit
        wrapLine()
        limit = rightLimit
      } else if cursorColumn > 0, cursorColumn > leftMargin {
        cursorColumn -= 1
      }
    }
    let row = cursorRow
    let column = cursorColumn
    let taken = min(width, limit - column)
    if settings.insert { grid.shift(row, column..<limit, by: taken, fill: eraseCell) }
    if taken == 2 {
      grid.putWide(cell, row, column)
    } else {
      grid.splitWide(row, column..<column + 1)
      grid[row, column] = GridCell(bits: width == 2 ? cell.bits | GridCell.wideBit : cell.bits)
    }
    advance(to: column + taken, limit: limit)
  }

  @inline(__always)
  private mutating func advance(to column: Int, limit: Int) {
    if column >= limit {
      cursorColumn = limit - 1
      pendingWrap = true
    } else {
      cursorColumn = column
      pendingWrap = false
    }
  }

  // MARK: Clusters

  /// The lead cell before the cursor: its column, if there is one on the row.
  private var cellBeforeCursor: Int? {
    var column = pendingWrap ? cursorColumn : cursorColumn - 1
    guard column >= 0 else { return nil }
    if column > 0, grid[cursorRow, column].isTail { column -= 1 }
    return column
  }

  /// The scalars of a cell.
  func scalars(of cell: GridCell) -> [UInt32] {
    if cell.isCluster { return clusters[cell.payload] }
    return cell.payload == 0 ? [] : [cell.payload]
  }

  private mutating func extendCell(with scalar: UInt32) {
    if clusters.isOverLimit { collectUnused() }
    _ = currentLook  // Styles may be collected here, and not while the new cluster is on no screen.
    guard let column = cellBeforeCursor else { return }
    var cell = grid[cursorRow, column]
    guard let extended = extended(cell, with: scalar) else { return }
    let kept = cell.bits & ~(GridCell.payloadMask | GridCell.clusterBit)
    cell.bits = kept | GridCell.clusterBit | UInt64(extended.number)
    let isWide = cell.isWide
    let width = modes.graphemeClusters ? extended.columns : isWide ? 2 : 1
    if width == 2, !isWide {
      widen(cell, column)
    } else if width == 1, isWide {
      narrow(cell, column)
    } else {
      grid[cursorRow, column] = cell
    }
  }

  /// The cluster that a cell becomes with one more scalar; nothing when it may not grow.
  private mutating func extended(_ cell: GridCell, with scalar: UInt32) -> ClusterMemo.Entry? {
    let base = UInt64(cell.payload) << 1 | (cell.isCluster ? 1 : 0)
    if let known = clusterMemo.entry(of: base, adding: scalar) { return known }
    var scalars = scalars(of: cell)
    if scalars.isEmpty { scalars = [0x20] }
    guard scalars.count < ClusterTable.longest else { return nil }
    scalars.append(scalar)
    let number = clusters.intern(scalars)
    guard UInt64(number) <= GridCell.payloadMask else { return nil }
    let entry = ClusterMemo.Entry(number: number, columns: ClusterWidth.columns(of: scalars))
    clusterMemo.remember(entry, of: base, adding: scalar)
    return entry
  }

  /// A variation selector or a second regional indicator makes a narrow cell wide.
  private mutating func widen(_ cell: GridCell, _ column: Int) {
    var cell = cell
    let limit = rightLimit
    if column + 2 > limit {
      guard limit - leftMargin > 1, settings.autowrap else {
        grid[cursorRow, column] = cell
        return
      }
      grid.fill(cursorRow, column..<limit, with: eraseCell)
      grid[cursorRow, column].bits |= GridCell.fillerBit
      wrapLine()
      put(cell, width: 2)
      return
    }
    grid.splitWide(cursorRow, column..<column + 2)
    cell.bits |= GridCell.wideBit
    grid[cursorRow, column] = cell
    grid[cursorRow, column + 1] = GridCell(bits: cell.look | GridCell.tailBit)
    advance(to: column + 2, limit: limit)
  }

  /// A text variation selector makes a wide cell narrow.
  private mutating func narrow(_ cell: GridCell, _ column: Int) {
    var cell = cell
    cell.bits &= ~GridCell.wideBit
    grid[cursorRow, column] = cell
    if column + 1 < grid.columns, grid[cursorRow, column + 1].isTail {
      grid[cursorRow, column + 1] = GridCell(bits: cell.look)
      cursorColumn = column + 1
      pendingWrap = false
    }
  }
}
