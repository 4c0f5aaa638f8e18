internal import CLinux
internal import Glibc
internal import TermindInfrastructure

/// What our own program does when it is started around an `ssh` of ours.
///
/// - As the holder it ties the life of `ssh` to the server's and becomes it.
/// - As askpass it brings a prompt to the server and prints the answer.
/// - As the host key helper it brings an offered key to the server and prints the line that trusts it.
/// - As the proxy helper it fetches the socket that leads to the server and hands it to `ssh`.
public enum OpenSSHHelper {
  /// The first argument of the holder.
  public static let holderWord = "ssh-holder"
  /// The first argument of the host key helper.
  public static let hostKeyWord = "ssh-host-key"
  /// The first argument of the proxy helper.
  public static let proxyWord = "ssh-proxy"
  /// The last part of the program's name as askpass, which gets no argument of ours.
  public static let askpassName = "termind-askpass"

  /// Runs a helper when the command line names one, and returns otherwise.
  ///
  /// - Parameter arguments: The command line, with the program's name first.
  public static func runIfNamed(_ arguments: [String]) {
    guard let name = arguments.first else { return }
    if name.hasSuffix("/\(askpassName)") { askpass(prompt: arguments.dropFirst().first ?? "") }
    switch arguments.dropFirst().first {
    case holderWord: hold(Array(arguments.dropFirst(2)))
    case hostKeyWord: hostKey(Array(arguments.dropFirst(2)))
    case proxyWord: proxy()
    default: return
    }
  }

  // MARK: The holder

  /// `PARENT PATH ARGUMENT …`: becomes the program at the path, which ends when the parent does.
  private static func hold(_ arguments: [String]) -> Never {
    guard arguments.count >= 2, let parent = Int32(arguments[0]) else { ProcessEnvironment.exit(2) }
    guard tm_end_with_parent(SIGTERM) == 0, getppid() == parent else { ProcessEnvironment.exit(1) }
    let path = arguments[1]
    var words = unsafe (["ssh"] + arguments.dropFirst(2)).map { unsafe strdup($0) }
    unsafe words.append(nil)
    unsafe _ = execv(path, words)
    StandardStream.error.say("\(path): \(systemText(errno))\n")
    ProcessEnvironment.exit(255)
  }

  // MARK: What asks

  private static func askpass(prompt: String) -> Never {
    ProcessSecrecy.forbidReading()
    let hint = ProcessEnvironment.value(of: "SSH_ASKPASS_PROMPT") ?? ""
    guard let socket = ask(.prompt, [prompt, hint]), let answer = answer(socket) else {
      ProcessEnvironment.exit(1)
    }
    var line = answer
    line.append(0x0A)
    write(line)
    ProcessEnvironment.exit(0)
  }

  private static func hostKey(_ words: [String]) -> Never {
    guard let socket = ask(.hostKey, words), let lines = answer(socket) else {
      ProcessEnvironment.exit(1)
    }
    write(lines)
    ProcessEnvironment.exit(0)
  }

  /// `ssh` takes the socket as a message on its end of our standard output.
  private static func proxy() -> Never {
    guard let socket = ask(.connection, []) else { ProcessEnvironment.exit(1) }
    do throws(LocalSocketError) {
      guard let input = try socket.receive(limit: 16), let way = input.descriptors.first else {
        ProcessEnvironment.exit(1)
      }
      let output = LocalSocket(OwnedDescriptor(inheriting: 1))
      _ = try output.send([0], descriptors: [way])
    } catch {
      ProcessEnvironment.exit(1)
    }
    ProcessEnvironment.exit(0)
  }

  private static func ask(_ kind: HelperMessage.Request.Kind, _ words: [String]) -> LocalSocket? {
    guard let path = ProcessEnvironment.value(of: HelperMessage.socketVariable),
      let token = ProcessEnvironment.value(of: HelperMessage.tokenVariable)
    else { return nil }
    let request = HelperMessage.Request(token: token, kind: kind, words: words)
    do throws(LocalSocketError) {
      let socket = try LocalSocket.connect(to: path)
      try socket.checkPeer()
      var rest = HelperMessage.encoded(request)[...]
      while !rest.isEmpty { rest = rest.dropFirst(try socket.send(rest)) }
      return socket
    } catch {
      return nil
    }
  }

  /// The answer: a byte that says whether there is one, then the answer up to the end of the stream.
  private static func answer(_ socket: LocalSocket) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count <= HelperMessage.maximumByteCount {
      // `try?`: a server that is gone answers nothing.
      guard let input = try? socket.receive() else { return nil }
      if input.bytes.isEmpty { return bytes.first == 1 ? Array(bytes.dropFirst()) : nil }
      bytes += input.bytes
    }
    return nil
  }

  private static func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(1, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
