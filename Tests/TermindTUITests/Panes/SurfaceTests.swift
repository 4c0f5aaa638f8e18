import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTerminal
import Testing

@testable import TermindTUI

@MainActor
@Suite("A pane's surface") struct SurfaceTests {
  /// Notes what is sent to a program.
  private final class Channel: TerminalChannel {
    private let sent = Locked<[[UInt8]]>([])
    var bytes: [UInt8] { sent.withLock { $0 }.flatMap(\.self) }

    func send(_ bytes: [UInt8]) -> Bool {
      sent.withLock { $0.append(bytes) }
      return true
    }

    func resize(to size: TerminalDimensions) {}
    func close() {}
  }

  private func surface() -> Surface {
    Surface(size: TerminalSize(rows: 4, columns: 20), configuration: TerminalConfiguration()) {}
  }

  private func print(_ text: String, _ output: any TerminalOutputReceiving) {
    Array(text.utf8).withUnsafeBytes { output.received($0) }
  }

  @Test("an end that comes before its channel is known is told afterwards")
  func earlyEnd() {
    let surface = surface()
    let feed = surface.feedOfNextProgram()
    feed.ended(.exited(status: 1))
    #expect(surface.takeChanges().end == nil)
    surface.attach(Channel())
    #expect(surface.takeChanges().end == .exited(status: 1))
    #expect(surface.takeChanges().end == nil)
    #expect(!surface.send([0x61]))
  }

  @Test("drops what an earlier program still prints, and its end")
  func retired() {
    let surface = surface()
    let old = surface.feedOfNextProgram()
    surface.attach(Channel())
    let new = surface.feedOfNextProgram()
    surface.attach(Channel())
    print("old", old)
    old.ended(.closed)
    print("new", new)
    #expect(surface.takeChanges().end == nil)
    #expect(surface.withTerminal { $0.screenText()[0] } == "new")
  }

  @Test("sends replies that were made before the channel was known, in order")
  func replies() {
    let surface = surface()
    let feed = surface.feedOfNextProgram()
    print("\u{1B}[6n", feed)
    let channel = Channel()
    surface.attach(channel)
    print("ab\u{1B}[6n", feed)
    #expect(channel.bytes == Array("\u{1B}[1;1R\u{1B}[1;3R".utf8))
  }

  @Test("tells a program that asked of a change of the colour scheme at once")
  func colorScheme() {
    let surface = surface()
    let feed = surface.feedOfNextProgram()
    let channel = Channel()
    surface.attach(channel)
    print("\u{1B}[?2031h", feed)
    surface.change { $0.setDarkScheme(false) }
    #expect(channel.bytes == Array("\u{1B}[?997;2n".utf8))
  }
}
