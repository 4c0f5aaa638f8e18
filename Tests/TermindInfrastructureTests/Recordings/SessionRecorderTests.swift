import Foundation
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindInfrastructure

@Suite("Recordings of sessions") struct SessionRecorderTests {
  /// Waits for a recording's end.
  final class End: Sendable {
    private let queue = BlockingQueue<RecordingProblem?>()
    func tell(_ problem: RecordingProblem?) { queue.put(problem) }
    /// Called on a thread of the test's own.
    func wait() async -> RecordingProblem? {
      await withCheckedContinuation { continuation in
        let queue = queue
        do {
          try NamedThread.start(name: "wait") { continuation.resume(returning: queue.take()) }
        } catch {
          continuation.resume(returning: .tooSlow(path: "no thread"))
        }
      }
    }
  }

  let folder: TemporaryFolder
  let end = End()

  init() throws { folder = try TemporaryFolder() }

  func recorder(
    _ format: RecordingFormat,
    in directory: String? = nil,
    name: String = "web1",
    limits: RecordingLimits = RecordingLimits()
  ) throws -> SessionRecorder {
    let request = RecordingRequest(
      format: format,
      directory: directory ?? folder.file("a/b"),
      name: name,
      title: "deploy@web1",
      columns: 80,
      rows: 24
    )
    return try SessionRecorder(request, limits: limits, now: { 1_800_000_000 }) { [end] in
      end.tell($0)
    }
  }

  func feed(_ recorder: SessionRecorder, _ text: String) { feed(recorder, Array(text.utf8)) }
  func feed(_ recorder: SessionRecorder, _ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe recorder.output($0) }
  }

  @Test("plain text is written to a private file of its own")
  func text() async throws {
    let recorder = try recorder(.text)
    feed(recorder, "\u{1B}[32mgreen\u{1B}[0m\r\nlast")
    recorder.stop()
    #expect(await end.wait() == nil)
    #expect(try String(contentsOfFile: recorder.path, encoding: .utf8) == "green\nlast\n")
    let mode = try FileManager.default.attributesOfItem(atPath: recorder.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(recorder.path.hasPrefix(folder.file("a/b/web1-")))
    #expect(recorder.path.hasSuffix(".log"))
  }

  @Test("an asciicast has a header, whole characters and sizes")
  func asciicast() async throws {
    let recorder = try recorder(.asciicast)
    let bytes = Array("é \"x\"\r\n\u{1B}[1m".utf8)
    feed(recorder, Array(bytes.prefix(1)))
    recorder.resized(columns: 100, rows: 30)
    feed(recorder, Array(bytes.dropFirst(1)))
    recorder.resized(columns: 100, rows: 30)
    recorder.stop()
    #expect(await end.wait() == nil)
    let lines = try String(contentsOfFile: recorder.path, encoding: .utf8)
      .split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(lines[0].contains("\"version\": 2, \"width\": 80, \"height\": 24"))
    #expect(lines[1].hasSuffix("\"r\", \"100x30\"]"))
    #expect(lines[2].hasSuffix("\"o\", \"é \\\"x\\\"\\r\\n\\u001b[1m\"]"))
  }

  @Test("two recordings of one second get two files, and odd names become plain ones")
  func names() async throws {
    let first = try recorder(.text, name: "../a b/\u{1B}c")
    let second = try recorder(.text, name: "../a b/\u{1B}c")
    #expect(first.path != second.path)
    #expect(first.path.contains("/_a_b__c-"))
    first.stop()
    second.stop()
    #expect(await end.wait() == nil)
    #expect(await end.wait() == nil)
  }

  @Test("a large recording goes on in another file")
  func rotation() async throws {
    var limits = RecordingLimits()
    limits.fileSize = 1_000
    let recorder = try recorder(.asciicast, limits: limits)
    let first = recorder.path
    feed(recorder, String(repeating: "x", count: 2_000))
    // The next file begins once this one was written.
    await SessionRecorder.settle(within: .seconds(20))
    #expect(recorder.path != first)
    feed(recorder, "second")
    recorder.stop()
    #expect(await end.wait() == nil)
    let second = try String(contentsOfFile: recorder.path, encoding: .utf8)
    #expect(second.hasPrefix("{\"version\": 2"))
    #expect(second.contains("second"))
    #expect(!second.contains("xxxx"))
  }

  @Test("a folder that cannot be made is named")
  func noFolder() throws {
    try "".write(toFile: folder.file("taken"), atomically: true, encoding: .utf8)
    let inside = folder.file("taken/deeper")
    #expect(throws: RecordingProblem.self) { try recorder(.text, in: inside) }
  }

  @Test("more than the disk takes ends the recording, once")
  func tooSlow() async throws {
    var limits = RecordingLimits()
    limits.waiting = 100
    let recorder = try recorder(.text, limits: limits)
    feed(recorder, String(repeating: "y", count: 101))
    #expect(await end.wait() == .tooSlow(path: recorder.path))
    // Nothing is taken any more.
    feed(recorder, "z\n")
    recorder.stop()
    #expect(try String(contentsOfFile: recorder.path, encoding: .utf8).isEmpty)
  }

  @Test("a full disk is told with the file and the system's reason")
  func fullDisk() throws {
    let request = RecordingRequest(
      format: .text,
      directory: "/dev",
      name: "full",
      title: "",
      columns: 80,
      rows: 24
    )
    let full = OwnedDescriptor(adopting: open("/dev/full", O_WRONLY | O_CLOEXEC))
    let file = RecordingFile(request, adopting: full, at: "/dev/full")
    #expect(
      throws: RecordingProblem.file(path: "/dev/full", reason: SystemText.text(of: ENOSPC))
    ) { try file.write("text\n") }
  }
}
