import TermindUnicode

extension TerminalState {
  /// Forgets unused styles and clusters when there are many.
  mutating func finishFeed() {
    if styles.isOverLimit || clusters.isOverLimit { collectUnused() }
  }

  /// Forgets styles and clusters that no cell of either screen, no pen and no saved cursor uses.
  mutating func collectUnused() {
    var usedStyles = styles.emptyMarks()
    var usedClusters = clusters.emptyMarks()
    for screen in [grid, hiddenGrid] {
      for cell in screen.cells where cell.bits != 0 {
        let style = Int(cell.style)
        if style < usedStyles.count { usedStyles[style] = true }
        if cell.isCluster { usedClusters[Int(cell.payload)] = true }
      }
    }
    numbering &+= 1
    styles.keepOnly(usedStyles)
    clusters.keepOnly(usedClusters)
    clusterMemo.removeAll()
    isLookStale = true
  }

  /// The style and protection bits of text that is written now.
  @inline(__always)
  var currentLook: UInt64 {
    mutating get {
      if isLookStale { refreshLook() }
      return cachedLook
    }
  }

  /// The cell that an erase leaves behind.
  var eraseCell: GridCell {
    mutating get {
      if isLookStale { refreshLook() }
      return cachedErase
    }
  }

  @inline(__always)
  private mutating func refreshLook() {
    guard let number = pen.direct else { return lookUpLook() }
    isLookStale = false
    cachedLook = UInt64(number) << 32 | (isProtecting ? GridCell.protectedBit : 0)
    cachedErase = .erased
  }

  @inline(never)
  private mutating func lookUpLook() {
    // The table is bounded here too: one write may hold more new styles than it may keep.
    if styles.isOverLimit { collectUnused() }
    isLookStale = false
    cachedLook = UInt64(styles.intern(pen)) << 32 | (isProtecting ? GridCell.protectedBit : 0)
    cachedErase =
      pen.background == 0 ? .erased : GridCell(bits: UInt64(styles.intern(pen.erasing)) << 32)
  }

  mutating func refreshPlainText() { isPlainText = charsets.isPlain && !settings.insert }
}
