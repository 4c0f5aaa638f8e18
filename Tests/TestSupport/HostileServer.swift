/// A TCP server that breaks the opening of SSH in one way.
public final class HostileServer: Sendable {
  /// What it does with each connection.
  public enum Manner: String, Sendable, CaseIterable {
    /// Lines without end before any identification.
    case endlessLines
    /// One line without end.
    case endlessLine
    /// One byte of a line now and then.
    case slowLine
    /// Nothing but zero bytes, and then silence.
    case zeros
    /// A packet of four gigabytes.
    case hugePacket
    /// An offer of algorithms, a byte now and then.
    case slowExchange
    /// Half an offer, and then the end.
    case cutExchange
    /// Random bytes behind the identification.
    case garbage
    /// Packets without end that mean nothing.
    case ignoredPackets
  }

  /// Its port on 127.0.0.1.
  public let port: UInt16
  private let folder: TemporaryFolder
  private let program: TestProgram

  /// Starts it.
  public init(_ manner: Manner) async throws {
    folder = try TemporaryFolder()
    let script = try folder.write("hostile.py", Self.script)
    program = try TestProgram("/usr/bin/python3", [script, manner.rawValue])
    // The last word tells that the line is whole.
    try await program.wait(for: " LISTENING")
    let line = program.text.split(separator: "\n").first { $0.hasPrefix("READY ") } ?? ""
    guard let port = line.split(separator: " ").dropFirst().first.flatMap({ UInt16($0) }) else {
      throw TestFailure("no port in \(line)")
    }
    self.port = port
  }

  private static let script = #"""
    import os, socket, sys, threading, time

    manner = sys.argv[1]
    hello = b'SSH-2.0-OpenSSH_9.2\r\n'

    def forever(connection, data, pause):
        while True:
            connection.sendall(data)
            time.sleep(pause)

    def serve(connection):
        try:
            if manner == 'endlessLines':
                forever(connection, b'hello there\r\n' * 500, 0)
            if manner == 'endlessLine':
                forever(connection, b'A' * 65536, 0)
            if manner == 'slowLine':
                forever(connection, b'A', 0.1)
            if manner == 'zeros':
                connection.sendall(b'\0' * 1000)
            if manner == 'hugePacket':
                connection.sendall(hello + b'\xff' * 4 + b'\0' * 100000)
            if manner == 'slowExchange':
                connection.sendall(hello + b'\x00\x00\x04\x00\x0a\x14')
                forever(connection, b'a', 0.1)
            if manner == 'cutExchange':
                connection.sendall(hello + b'\x00\x00\x04\x00\x0a\x14')
                # Everything is read, or the end would be a reset.
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65536):
                    pass
                return
            if manner == 'garbage':
                connection.sendall(hello + os.urandom(300000))
            if manner == 'ignoredPackets':
                payload = b'\x02\x00\x00\x00\x03abc'
                padding = 16 - (5 + len(payload)) % 8
                packet = (len(payload) + padding + 1).to_bytes(4, 'big') + bytes([padding])
                connection.sendall(hello)
                forever(connection, (packet + payload + b'\0' * padding) * 1000, 0)
            time.sleep(3600)
        except OSError:
            pass

    listener = socket.socket()
    listener.bind(('127.0.0.1', 0))
    listener.listen(50)
    print('READY', listener.getsockname()[1], 'LISTENING', flush=True)
    while True:
        accepted, _ = listener.accept()
        threading.Thread(target=serve, args=(accepted,), daemon=True).start()
    """#
}
