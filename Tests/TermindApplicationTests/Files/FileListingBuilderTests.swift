import TermindApplication
import TermindDomain
import Testing

@Suite("Listings that grow") struct FileListingBuilderTests {
  private actor Told {
    var counts: [Int] = []
    func add(_ count: Int) { counts.append(count) }
  }

  @Test("tells the first rows at once, and a large directory only now and then")
  func large() async throws {
    let told = Told()
    let builder = FileListingBuilder(order: FileOrder(), interval: .seconds(3_600)) { rows in
      await told.add(rows.rows.count)
    }
    for batch in 0..<200 {
      let entries = try (0..<100).map { number in
        FileEntry(
          name: try FileName("entry-\((batch * 7_919 + number * 31) % 20_000)-\(batch)-\(number)"),
          attributes: FileAttributes(kind: .regular)
        )
      }
      await builder.take(FileListingBatch(entries: entries))
    }
    let counts = await told.counts
    #expect(counts.first == 100)
    #expect(counts.count <= 10)
    #expect(counts == counts.sorted())
  }
}
