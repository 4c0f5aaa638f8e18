import Testing

@testable import TermindScreen

@Suite("Terminals that measure text differently") struct WidthDisagreementTests {
  enum Terminal: CaseIterable {
    case narrowEmoji
    case wideSymbols
    case noClusters
    case arabicShaping

    var traits: ReplayTerminal.Traits {
      var traits = ReplayTerminal.Traits()
      switch self {
      case .narrowEmoji:
        traits.width = { cluster in
          let first = cluster.unicodeScalars.first?.value ?? 0
          return first >= 0x1F000 || first < 0x2E80 ? 1 : CellWidth.columns(of: cluster)
        }
      case .wideSymbols:
        traits.width = { cluster in
          let first = cluster.unicodeScalars.first?.value ?? 0
          return WidthCertainty.isCertain(first) ? CellWidth.columns(of: cluster) : 2
        }
      case .noClusters:
        traits.joinsClusters = false
        traits.width = { CellWidth.columns(of: $0.unicodeScalars.first?.value ?? 0) }
      case .arabicShaping: traits.joinsLamAlef = true
      }
      return traits
    }
  }

  /// The first certain cell that is not where the canvas has it.
  private static func misplaced(_ terminal: ReplayTerminal, _ canvas: Canvas) -> String? {
    for row in 0..<canvas.rows {
      for column in 0..<canvas.columns {
        guard let cell = canvas.cell(row: row, column: column), cell.width > 0 else { continue }
        let scalars = cell.text.unicodeScalars
        guard scalars.count == 1, let scalar = scalars.first,
          WidthCertainty.isCertain(scalar.value)
        else { continue }
        let found = terminal.cell(row, column)
        if found.text != cell.text {
          return "row \(row) column \(column): \(found.text.debugDescription) not "
            + "\(cell.text.debugDescription)\n\(terminal.text(row: row))|\n\(canvas.text(row: row))|"
        }
      }
    }
    return nil
  }

  @Test(
    "everything that all agree on stays in its place",
    arguments: Terminal.allCases,
    [true, false]
  )
  func certainCells(kind: Terminal, erases: Bool) {
    var capabilities = ScreenCapabilities.full
    capabilities.erasesCharacters = erases
    for seed in 0..<8 {
      var random = RandomCanvas(rows: 6, columns: 24, seed: UInt64(seed) + 300)
      var harness = FrameHarness(
        rows: 6,
        columns: 24,
        capabilities: capabilities,
        traits: kind.traits
      )
      for step in 0..<25 {
        for _ in 0..<3 { random.change() }
        harness.show(random.canvas)
        if let wrong = Self.misplaced(harness.terminal, random.canvas) {
          Issue.record("\(kind) seed \(seed) step \(step): \(wrong)")
          return
        }
      }
    }
  }

  @Test(
    "the border beside Arabic text and beside emoji stays straight",
    arguments: Terminal.allCases
  )
  func borders(kind: Terminal) {
    let lines = [
      "\u{644}\u{627} \u{644}\u{627}\u{645}", "👩‍👩‍👧 ❤️ 🇩🇪", "⚡⚡⚡⚡", "नमस्ते", "e\u{301}e\u{301}",
    ]
    var harness = FrameHarness(rows: lines.count, columns: 30, traits: kind.traits)
    for shift in 0..<lines.count {
      var canvas = Canvas(rows: lines.count, columns: 30)
      for row in 0..<lines.count {
        canvas.put("│", row: row, column: 0, limit: 1)
        canvas.put(lines[(row + shift) % lines.count], row: row, column: 1, limit: 12)
        canvas.put("│right", row: row, column: 13, limit: 10)
      }
      harness.show(canvas)
      for row in 0..<lines.count {
        #expect(harness.terminal.cell(row, 0).text == "│")
        #expect(harness.terminal.cell(row, 13).text == "│")
        #expect(harness.terminal.cell(row, 18).text == "t")
      }
    }
  }
}
