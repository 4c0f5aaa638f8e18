import Testing

/// A host with tens of thousands of processes must cost no more than any other.
@Suite("Processes of the machine") struct ProcessScanTests {
  @Test("are looked up by their number; nothing in the program walks over all of them")
  func noScan() throws {
    let program = try SourceTree().targets.filter { $0.name.hasPrefix("Termind") }
    try #require(program.count > 8)
    let walkers = program.flatMap(\.files).filter { file in
      file.text.contains("\"/proc\"") || file.text.contains("\"/proc/\"")
    }
    #expect(walkers.map(\.name) == [])
  }
}
