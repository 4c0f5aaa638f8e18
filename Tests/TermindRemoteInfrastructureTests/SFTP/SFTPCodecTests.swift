import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

@Suite("SFTP messages") struct SFTPCodecTests {
  private static func frames(_ bytes: [UInt8], cuts: [Int]) -> SFTPFrames.Input {
    var frames = SFTPFrames()
    var all = SFTPFrames.Input()
    var start = 0
    for cut in cuts.sorted() + [bytes.count] where cut > start {
      let input = bytes[start..<cut].withUnsafeBytes { frames.append($0) }
      all.messages += input.messages
      all.text += input.text
      all.problem = all.problem ?? input.problem
      start = cut
    }
    return all
  }

  @Test("messages come whole, however the bytes are cut")
  func cuts() {
    var random = SeededGenerator(state: 7)
    for _ in 0..<300 {
      var messages: [[UInt8]] = []
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let count = Int.random(in: 1...90, using: &random)
        messages.append((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
      }
      let bytes: [UInt8] = messages.flatMap { (message: [UInt8]) -> [UInt8] in
        [0, 0, 0, UInt8(message.count)] + message
      }
      let cuts = (0..<12).map { _ in Int.random(in: 0...bytes.count, using: &random) }
      let input = Self.frames(bytes, cuts: cuts)
      #expect(input.messages.map(Array.init) == messages)
      #expect(input.problem == nil)
    }
  }

  @Test(
    "a length that cannot be right ends the reading",
    arguments: [[0, 0, 0, 0], [0, 0x20, 0, 0]]
  )
  func badLengths(header: [UInt8]) {
    let good: [UInt8] = [0, 0, 0, 1, 9]
    let input = Self.frames(good + header + [1, 2, 3], cuts: [])
    #expect(input.messages.count == 1)
    #expect(input.problem != nil)
  }

  @Test("a text instead of a message is a text")
  func startUpText() {
    let input = Self.frames(Array("Welcome!\n".utf8), cuts: [1, 3])
    #expect(input.text == Array("Welcome!\n".utf8))
    #expect(input.messages.isEmpty)
  }

  @Test("attributes survive with any fields missing")
  func attributes() throws {
    for flags in UInt32(0)..<16 {
      var encoder = SFTPEncoder(.replyAttributes, number: 5)
      encoder.add(flags)
      if flags & 1 != 0 { encoder.add(UInt64(1) << 40) }
      if flags & 2 != 0 {
        encoder.add(UInt32.max)
        encoder.add(UInt32(7))
      }
      if flags & 4 != 0 { encoder.add(UInt32(0o100640)) }
      if flags & 8 != 0 {
        encoder.add(UInt32(1))
        // December 2049, past the end of signed numbers.
        encoder.add(UInt32(2_522_880_000))
      }
      let (number, reply) = try SFTPReply.decode(encoder.finished().dropFirst(4))
      #expect(number == 5)
      let expected = FileAttributes(
        kind: flags & 4 != 0 ? .regular : .unknown,
        size: flags & 1 != 0 ? 1 << 40 : nil,
        userID: flags & 2 != 0 ? .max : nil,
        groupID: flags & 2 != 0 ? 7 : nil,
        permissions: flags & 4 != 0 ? 0o640 : nil,
        accessed: flags & 8 != 0 ? FileTime(seconds: 1) : nil,
        modified: flags & 8 != 0 ? FileTime(seconds: 2_522_880_000) : nil
      )
      #expect(reply == .attributes(expected))
    }
  }

  @Test("times outside of 32 bits are not sent as others")
  func wireTimes() {
    let late = FileTime(seconds: 1 << 32)
    let good = FileTime(seconds: 4_294_967_295)
    #expect(SFTPAttributes.wireTimes(FileTimes(accessed: good, modified: late)) == nil)
    #expect(
      SFTPAttributes.wireTimes(FileTimes(accessed: late, modified: good)).map { [$0.0, $0.1] }
        == [.max, .max]
    )
    #expect(
      SFTPAttributes.wireTimes(FileTimes(accessed: good, modified: FileTime(seconds: -1))) == nil
    )
  }

  /// One valid answer of each kind.
  private static var samples: [[UInt8]] {
    var names = SFTPEncoder(.replyNames, number: 3)
    names.add(UInt32(2))
    for name in ["a", "bcd"] {
      names.add(string: name.utf8)
      names.add(string: "-rw-r--r-- 1 root root 5 Jan 1 2026 \(name)".utf8)
      names.add(UInt32(0x8000_0001))
      names.add(UInt64(9))
      names.add(UInt32(1))
      names.add(string: "x@y".utf8)
      names.add(string: "z".utf8)
    }
    var status = SFTPEncoder(.replyStatus, number: 1)
    status.add(UInt32(4))
    status.add(string: "Failure".utf8)
    status.add(string: "en".utf8)
    var handle = SFTPEncoder(.replyHandle, number: 2)
    handle.add(string: [1, 2, 3])
    var data = SFTPEncoder(.replyData, number: 4)
    data.add(string: Array(repeating: 7, count: 40))
    return [names, status, handle, data].map { Array($0.finished().dropFirst(4)) }
  }

  @Test("whole answers are read")
  func samplesAreRead() throws {
    let replies = try Self.samples.map { try SFTPReply.decode($0[...]).1 }
    guard case .names(let names) = replies[0] else { throw Unexpected() }
    #expect(names.map { Array($0.bytes) } == [[0x61], [0x62, 0x63, 0x64]])
    #expect(names[1].attributes.size == 9)
    #expect(replies[1] == .status(code: 4, text: "Failure"))
    #expect(replies[2] == .handle([1, 2, 3]))
    #expect(replies[3] == .data(ArraySlice(repeating: 7, count: 40)))
  }

  struct Unexpected: Error {}

  @Test("answers that are cut short are refused, at every byte")
  func truncated() {
    for sample in Self.samples {
      for length in 0..<sample.count {
        // A status may end before its text, and a text before its language.
        let isStatus = sample.first == SFTPKind.replyStatus.rawValue
        if isStatus, length >= 9 { continue }
        #expect(throws: SFTPFormatError.self) { try SFTPReply.decode(sample[..<length]) }
      }
    }
  }

  @Test("no bytes make the reading fail in any other way")
  func fuzz() {
    var random = SeededGenerator(state: 99)
    for sample in Self.samples {
      for _ in 0..<2_000 {
        var bytes = sample
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
            in: 0...255,
            using: &random
          )
        }
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random) / 4)
        // Either way is fine; it must not trap, hang, or set aside memory that is not there.
        _ = try? SFTPReply.decode(bytes[...])
        _ = try? SFTPVersion.decode(bytes[...])
        _ = try? SFTPLimits(reply: bytes[...])
        _ = try? SFTPFileSystem.space(bytes[...])
      }
    }
  }

  @Test("counts that a message cannot hold are refused at once")
  func hugeCounts() {
    var names = SFTPEncoder(.replyNames, number: 3)
    names.add(UInt32.max)
    #expect(throws: SFTPFormatError.self) { try SFTPReply.decode(names.finished().dropFirst(4)) }
    var pairs = SFTPEncoder(.replyAttributes, number: 3)
    pairs.add(UInt32(0x8000_0000))
    pairs.add(UInt32.max)
    #expect(throws: SFTPFormatError.self) { try SFTPReply.decode(pairs.finished().dropFirst(4)) }
  }

  @Test("limits of a server are taken within our own")
  func limits() throws {
    func limits(_ numbers: [UInt64]) throws -> SFTPLimits {
      var encoder = SFTPEncoder(.replyExtended, number: 0)
      for number in numbers { encoder.add(number) }
      return try SFTPLimits(reply: encoder.finished().dropFirst(9))
    }
    #expect(try limits([0, 0, 0, 0]).readLength == 261_120)
    #expect(try limits([0, 1 << 40, 100, 20]).readLength == 261_120)
    #expect(try limits([0, 1 << 40, 100, 20]).writeLength == 100)
    #expect(try limits([0, 1 << 40, 100, 20]).openHandles == 20)
    #expect(throws: SFTPFormatError.self) { try limits([0, 1]) }
  }

  @Test("owners' names are taken from lines that look like a listing")
  func longLines() throws {
    let line = Array("-rw-r--r--    1 ann      wheel      5 Jan  1  2026 x".utf8)
    let owners = try #require(SFTPLongLine.owners(line[...]))
    #expect(owners.user == "ann")
    #expect(owners.group == "wheel")
    let numbers = Array("-rw-r--r--    1 0        100        5 Jan  1  2026 x".utf8)
    #expect(SFTPLongLine.owners(numbers[...])?.user == nil)
    #expect(SFTPLongLine.owners(Array("x".utf8)[...]) == nil)
    #expect(SFTPLongLine.kind(Array("drwxr-xr-x 2 a b 3 c".utf8)[...]) == .directory)
    #expect(SFTPLongLine.kind(Array("directory".utf8)[...]) == .unknown)
  }

  @Test(
    "statuses mean what they say, or what their text says",
    arguments: [
      (2, "", FileErrorReason.notFound), (3, "Permission denied", .denied),
      (4, "Failure", .failed), (4, "No space left on device", .diskFull),
      (4, "[Errno 122] Disk quota exceeded", .quotaExceeded),
      (3, "Read-only file system", .readOnly),
      (8, "", .unsupported), (11, "", .exists), (14, "", .diskFull), (15, "", .quotaExceeded),
      (18, "", .notEmpty), (77, "", .failed), (4, "Directory not empty", .notEmpty),
    ]
  )
  func statuses(code: UInt32, text: String, reason: FileErrorReason) {
    #expect(SFTPStatus.error(code: code, text: text).reason == reason)
  }
}
