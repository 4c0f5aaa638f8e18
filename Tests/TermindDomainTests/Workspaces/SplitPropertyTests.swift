import TermindDomain
import Testing

/// A small generator with a seed, so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  // SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

@Suite("Split tree under random operations") struct SplitPropertyTests {
  struct Run {
    var random: SeededGenerator
    var tree = SplitTree(PaneID(rawValue: 0))
    var expected: Set<PaneID> = [PaneID(rawValue: 0)]
    var nextPane: UInt32 = 1

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func anyPane() -> PaneID { tree.panes.randomElement(using: &random) ?? tree.firstPane }

    mutating func anySide() -> PaneDirection {
      PaneDirection.allCases.randomElement(using: &random) ?? .left
    }

    mutating func anyArea() -> CellRectangle {
      let small = Bool.random(using: &random)
      return CellRectangle(
        row: Int.random(in: 0...3, using: &random),
        column: Int.random(in: 0...20, using: &random),
        rows: Int.random(in: 0...(small ? 8 : 70), using: &random),
        columns: Int.random(in: 0...(small ? 12 : 250), using: &random)
      )
    }

    mutating func newPane() -> PaneID {
      defer { nextPane += 1 }
      return PaneID(rawValue: nextPane)
    }

    mutating func step() {
      let pane = anyPane()
      switch Int.random(in: 0..<14, using: &random) {
      case 0...3 where tree.count < 16:
        let added = newPane()
        let side = anySide()
        let done = tree.split(pane, with: added, at: side)
        #expect(done)
        expected.insert(added)
      case 4 where tree.count < 16:
        let added = newPane()
        let side = anySide()
        let done = tree.splitRoot(with: added, at: side)
        #expect(done)
        expected.insert(added)
      case 5, 6:
        if tree.remove(pane) { expected.remove(pane) }
      case 7:
        let other = anyPane()
        tree.swap(pane, other)
      case 8:
        let forward = Bool.random(using: &random)
        tree.rotate(forward: forward)
      case 9:
        let added = newPane()
        let done = tree.replace(pane, with: added)
        #expect(done)
        expected.remove(pane)
        expected.insert(added)
      case 10:
        let (other, side) = (anyPane(), anySide())
        tree.move(pane, beside: other, at: side)
      case 11: tree.evenOut()
      case 12:
        let preset = SplitPreset.allCases.randomElement(using: &random) ?? .tiled
        tree.arrange(preset)
      default:
        let area = anyArea()
        if let id = tree.layout(in: area).borders.randomElement(using: &random)?.id {
          let row = Int.random(in: -5...80, using: &random)
          let column = Int.random(in: -5...260, using: &random)
          tree.drag(id, toRow: row, column: column, in: area)
        }
      }
    }
  }

  @Test("panes and borders always cover the area once", arguments: 0..<60 as Range<UInt64>)
  func coverage(seed: UInt64) {
    var run = Run(seed: seed)
    for _ in 0..<40 {
      run.step()
      #expect(Set(run.tree.panes) == run.expected)
      #expect(run.tree.panes.count == run.expected.count)
      let area = run.anyArea()
      let titleRow = Bool.random(using: &run.random)
      let kept = run.anyPane()
      check(run.tree, in: area, titleRow: titleRow, keeping: kept)
    }
  }

  @Test("resizing and resizing back restores the layout", arguments: 100..<140 as Range<UInt64>)
  func resizeRestores(seed: UInt64) {
    var run = Run(seed: seed)
    for _ in 0..<30 {
      run.step()
      let area = run.anyArea()
      let pane = run.anyPane()
      let direction = run.anySide()
      let before = run.tree.layout(in: area, titleRow: true)
      let cells = Int.random(in: 1...20, using: &run.random)
      let moved = run.tree.resize(pane, direction, by: cells, in: area, titleRow: true)
      #expect((0...cells).contains(moved))
      let between = run.tree.layout(in: area, titleRow: true)
      #expect((between != before) == (moved > 0))
      let back = run.tree.resize(pane, direction.opposite, by: moved, in: area, titleRow: true)
      #expect(back == moved)
      #expect(run.tree.layout(in: area, titleRow: true) == before)
    }
  }

  @Test("neighbours are mutual and touch", arguments: 200..<230 as Range<UInt64>)
  func neighbours(seed: UInt64) throws {
    var run = Run(seed: seed)
    for _ in 0..<20 { run.step() }
    let layout = run.tree.layout(in: CellRectangle(rows: 60, columns: 200), titleRow: true)
    for placement in layout.panes {
      for direction in PaneDirection.allCases {
        guard let other = layout.neighbour(of: placement.pane, direction) else { continue }
        #expect(other != placement.pane)
        let back = layout.neighbour(of: other, direction.opposite, history: [placement.pane])
        #expect(back == placement.pane)
      }
    }
  }

  private func check(
    _ tree: SplitTree,
    in area: CellRectangle,
    titleRow: Bool,
    keeping kept: PaneID
  ) {
    let layout = tree.layout(in: area, titleRow: titleRow, keeping: kept)
    let places = layout.panes.map(\.rectangle) + layout.borders.map(\.rectangle)
    #expect(places.allSatisfy { !$0.isEmpty })
    #expect(places.reduce(0) { $0 + $1.cellCount } == area.cellCount || area.isEmpty)
    for (index, place) in places.enumerated() {
      #expect(
        place.row >= area.row && place.column >= area.column && place.endRow <= area.endRow
          && place.endColumn <= area.endColumn
      )
      for other in places[(index + 1)...] { #expect(!place.intersects(other)) }
    }
    let all = layout.panes.map(\.pane) + layout.hidden
    #expect(all.count == tree.count && Set(all) == Set(tree.panes))
    #expect(area.isEmpty == layout.panes.isEmpty)
    if !area.isEmpty { #expect(layout.rectangle(of: kept) != nil) }
    if titleRow, area.rows > 1 {
      for placement in layout.panes {
        let title = layout.titleRectangle(of: placement.pane)
        #expect(title != nil)
        let above = layout.border(
          row: placement.rectangle.row - 1,
          column: placement.rectangle.column
        )
        #expect(above?.isVertical == false)
      }
    }
    let body = CellRectangle(rows: area.rows - (titleRow ? 1 : 0), columns: area.columns)
    if tree.minimumFits(in: body) {
      #expect(layout.hidden.isEmpty)
      for place in layout.panes.map(\.rectangle) {
        #expect(place.rows >= SplitTree.minimumRows && place.columns >= SplitTree.minimumColumns)
      }
    }
  }
}

extension SplitTree {
  /// Whether every pane can have its minimum, computed apart from the program's own way.
  func minimumFits(in area: CellRectangle) -> Bool {
    func need(_ node: SplitNode) -> (rows: Int, columns: Int) {
      guard case .split(let branch) = node else {
        return (SplitTree.minimumRows, SplitTree.minimumColumns)
      }
      let needs = branch.children.map { need($0.node) }
      let borders = needs.count - 1
      let rows = needs.map(\.rows)
      let columns = needs.map(\.columns)
      return branch.axis == .stacked
        ? (rows.reduce(borders, +), columns.max() ?? 0)
        : (rows.max() ?? 0, columns.reduce(borders, +))
    }
    let needed = need(root)
    return needed.rows <= area.rows && needed.columns <= area.columns
  }
}
