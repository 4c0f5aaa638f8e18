/// Writes names and paths as words of a POSIX shell.
public enum ShellQuoting {
  /// One word that a shell takes as exactly these bytes, and no program as an option.
  ///
  /// - Parameter bytes: A name or path.
  /// - Returns: Printable bytes only: what would act on a terminal or a line editor is written as a number
  ///   (`$'a\x0ab'`, which bash, zsh, ksh and busybox read).
  public static func word(_ bytes: [UInt8]) -> [UInt8] {
    let dashed = bytes.first == 0x2D ? [0x2E, 0x2F] + bytes : bytes
    guard !dashed.isEmpty else { return [0x27, 0x27] }
    if dashed.allSatisfy(isPlain), dashed.first != 0x7E { return dashed }
    if PathText.isPlain(dashed) { return single(dashed) }
    return numbered(dashed)
  }

  /// A text between single quotes, whatever is in it.
  public static func single(_ text: String) -> String {
    String(decoding: single(Array(text.utf8)), as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: "@"), UInt8(ascii: ":"),
      UInt8(ascii: "%"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func single(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x27]
    for byte in bytes {
      if byte == 0x27 {
        result += Array("'\\''".utf8)
      } else {
        result.append(byte)
      }
    }
    return result + [0x27]
  }

  private static func numbered(_ bytes: [UInt8]) -> [UInt8] {
    var result = Array("$'".utf8)
    for byte in bytes {
      switch byte {
      case 0x27, 0x5C: result += [0x5C, byte]
      case 0x20..<0x7F: result.append(byte)
      default:
        let digits = Array(String(byte, radix: 16).utf8)
        result += Array("\\x".utf8) + (digits.count == 1 ? [0x30] : []) + digits
      // A hexadecimal digit that follows would be read as part of the number by some shells.
      }
    }
    return result + [0x27]
  }
}

extension FileName {
  /// The name as one word of a shell.
  public var shellWord: [UInt8] { ShellQuoting.word(bytes) }
}

extension RemotePath {
  /// The path as one word of a shell.
  public var shellWord: [UInt8] { ShellQuoting.word(bytes) }
}
