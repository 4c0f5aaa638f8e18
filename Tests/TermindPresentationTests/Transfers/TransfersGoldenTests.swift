import TermindApplication
import TermindDomain
import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("Pictures of the transfers sheet") struct TransfersGoldenTests {
  private static func path(_ text: String) throws -> RemotePath { try #require(RemotePath(text)) }

  static func batch(
    _ number: Int,
    _ name: String,
    up: Bool = true,
    isMove: Bool = false
  ) throws -> TransferBatch {
    let here = TransferEnd(name: "local", place: .thisMachine, directory: try path("/home/me/site"))
    let there = TransferEnd(
      name: "web1",
      place: .server("deploy@web1:22"),
      directory: try path("/var/www")
    )
    return TransferBatch(
      number: number,
      names: [try FileName(name)],
      source: up ? here : there,
      target: up ? there : here,
      isMove: isMove
    )
  }

  static func item(_ number: Int, _ name: String, size: UInt64) throws -> TransferItem {
    TransferItem(
      number: number,
      source: try path("/home/me/site/\(name)"),
      target: try path("/var/www/\(name)"),
      size: size
    )
  }

  /// A batch under way: one file there, one copied, one paused, one failed, one that waits.
  static func running() throws -> TransferBatch {
    var batch = try batch(1, "build")
    let items = [
      try item(1, "build/index.html", size: 8_294),
      try item(2, "build/app.js", size: 42_188_800),
      try item(3, "build/bad\u{1B}[31m\nname", size: 500_000),
      try item(4, "build/a/very/long/way/down/to/the/file/whose/name/counts.tar.gz", size: 9),
      try item(5, "build/video.mp4", size: 3_000_000_000),
    ]
    for item in items { batch.take(.found(item)) }
    batch.take(.planned)
    let result = CopyResult(byteCount: 8_294, digest: [], hasReplaced: false, warnings: [])
    batch.take(.finished(items[0], result))
    batch.take(.started(items[1]))
    batch.tick(at: .zero)
    batch.take(.progressed(items[1], 13_500_000))
    batch.tick(at: .seconds(4))
    batch.take(.started(items[2]))
    batch.take(.paused(items[2]))
    let denied = FileError(.denied, path: items[3].target, text: "Permission denied")
    batch.take(.failed(items[3], CopyFailure(.operation(.writing, denied))))
    batch.take(.skipped(try path("/home/me/site/build/pipe"), .special(.pipe)))
    return batch
  }

  static func list() throws -> TransferList {
    var list = TransferList()
    list.set(try running())
    var lost = try batch(2, "backup.tar", up: false)
    lost.take(.found(try item(1, "backup.tar", size: 1_048_576)))
    lost.take(.planned)
    lost.state = .waiting(FileError(.connectionLost("the peer is gone")), retryAt: .seconds(9))
    list.set(lost)
    var paused = try batch(3, "日本語のファイル名", isMove: true)
    paused.pause()
    list.set(paused)
    var done = try batch(4, "notes.md", up: false)
    let note = try item(1, "notes.md", size: 1_200)
    done.take(.found(note))
    done.take(.planned)
    done.take(
      .finished(note, CopyResult(byteCount: 1_200, digest: [], hasReplaced: false, warnings: []))
    )
    done.state = .done
    list.set(done)
    var failed = try batch(5, "old.log")
    failed.state = .failed(FileError(.connectionLost("web1 asks for something")))
    list.set(failed)
    return list
  }

  private static func expect(
    _ name: String,
    _ rows: Int,
    _ columns: Int,
    look: Appearance = GoldenScreen.dark,
    _ list: TransferList,
    _ change: (inout TransfersView) -> Void = { _ in }
  ) throws {
    var view = TransfersView()
    view.retryTimes = [2: .seconds(4)]
    view.limits = "30 files at once, 10 of a server"
    view.show(list)
    change(&view)
    try GoldenScreen.expect(name, rows: rows, columns: columns, look: look) { canvas, area in
      view.draw(on: &canvas, in: TransfersView.area(in: area), look)
    }
  }

  @Test("batches and their files", arguments: [(24, 80), (12, 40), (60, 200)])
  func batches(rows: Int, columns: Int) throws {
    try Self.expect("transfers", rows, columns, try Self.list()) { view in
      view.toggle((try? Self.list()) ?? TransferList())
      view.move(by: 1)
    }
  }

  @Test("the reason of what failed is read in full, also without colours")
  func reasons() throws {
    let plain = Appearance(theme: ThemeLibrary.standard(dark: true), depth: .monochrome)
    for (name, look) in [("transfers-reason", GoldenScreen.dark), ("transfers-monochrome", plain)] {
      try Self.expect(name, 24, 80, look: look, try Self.list()) { view in
        view.toggle((try? Self.list()) ?? TransferList())
        // What runs and what is paused come first.
        view.move(by: 3)
      }
    }
    try Self.expect("transfers-lost", 24, 80, try Self.list()) { $0.move(by: 1) }
  }

  @Test("an empty sheet says how a transfer begins")
  func empty() throws { try Self.expect("transfers-empty", 24, 80, TransferList()) }

  @Test("the choice stays on its file while others come and go")
  func choice() throws {
    var list = try Self.list()
    var view = TransfersView()
    view.show(list)
    view.toggle(list)
    view.choose(5)
    guard case .row(1, let row) = view.selected else {
      Issue.record("\(String(describing: view.selected))")
      return
    }
    #expect(row.item.number == 1)
    var batch = try #require(list.batch(1))
    for number in 6...9 { batch.take(.found(try Self.item(number, "new\(number)", size: 1))) }
    list.set(batch)
    view.show(list)
    guard case .row(1, let same) = view.selected else {
      Issue.record("\(String(describing: view.selected))")
      return
    }
    #expect(same.item.number == 1)
    view.toggle(isOpen: false, list)
    guard case .batch(let closed) = view.selected else {
      Issue.record("\(String(describing: view.selected))")
      return
    }
    #expect(closed.number == 1 && view.lines.count == 5)
    // What is cleared gives the choice to its neighbour.
    view.choose(4)
    list.clearFinished()
    view.show(list)
    #expect(view.selected?.batch == 3)
  }

  @Test("every key can be read, and no key means two things")
  func keys() throws {
    var seen: [KeyChord: TransfersCommand] = [:]
    for binding in TransfersBinding.all {
      for key in binding.keys {
        let chord = try KeyChord(text: key)
        #expect(seen[chord] == nil, "\(key) is \(String(describing: seen[chord])) as well")
        seen[chord] = binding.command
        #expect(TransfersBinding.command(of: chord.event) == binding.command)
      }
    }
    #expect(Set(TransfersBinding.all.map(\.command)) == Set(TransfersCommand.allCases))
  }

  @Test(
    "times and limits are written short",
    arguments: [
      (0, "0:00"), (42, "0:42"), (723, "12:03"), (11_422, "3:10:22"), (180_000, "2 days"),
    ]
  )
  func times(seconds: Int, text: String) {
    #expect(TransferText.time(.seconds(seconds)) == text)
  }

  @Test("bandwidth is read as it is written, and nothing else is")
  func bandwidth() {
    for (text, bytes) in [("none", nil), ("500K", 512_000), ("2M", 2_097_152), ("1500", 1_500)] {
      #expect(BandwidthText.read(text)?.bytesPerSecond == bytes)
      #expect(BandwidthText.text(bytes) == text)
    }
    #expect(BandwidthText.read("2 m")?.bytesPerSecond == 2_097_152)
    #expect(BandwidthText.read("0") == BandwidthText.Limit(bytesPerSecond: nil))
    for text in ["", "K", "-5M", "1.5M", "100", "fast", "9999999999999G"] {
      #expect(BandwidthText.read(text) == nil)
    }
  }
}
