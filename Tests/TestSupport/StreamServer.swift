/// A plain TCP and Unix-socket server; the first line that a client sends says what it does with the connection.
///
/// `echo` sends everything back and ends when the client does; `count` reads to the end and then answers with the number
/// of bytes; `greet` sends a greeting, ends its side, and reads on to the client's end; `source N` sends N bytes;
/// `deaf` reads nothing more.
public final class StreamServer: Sendable {
  /// Its port on 127.0.0.1.
  public let port: Int
  /// The path of its Unix socket.
  public let path: String
  private let folder: TemporaryFolder
  private let program: TestProgram

  /// Starts it.
  public init() async throws {
    folder = try TemporaryFolder()
    path = folder.file("socket")
    let script = try folder.write("stream.py", Self.script)
    program = try TestProgram("/usr/bin/python3", [script, path])
    try await program.wait(for: " LISTENING")
    guard let port = program.text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { throw TestFailure("no port in \(program.text)") }
    self.port = port
  }

  /// Suspends until it has written a text: `ENDED manner` for each connection that is over.
  public func wait(forLog part: String) async throws { try await program.wait(for: part) }

  private static let script = #"""
    import os, socket, sys, threading

    def serve(connection):
        stream = connection.makefile('rb', buffering=0)
        manner = b''
        while not manner.endswith(b'\n'):
            byte = stream.read(1)
            if not byte:
                connection.close()
                return
            manner += byte
        words = manner.split()
        try:
            if words[0] == b'echo':
                while data := connection.recv(65536):
                    connection.sendall(data)
            elif words[0] == b'count':
                total = 0
                while data := connection.recv(65536):
                    total += len(data)
                connection.sendall(b'%d\n' % total)
            elif words[0] == b'greet':
                connection.sendall(b'hello\n')
                connection.shutdown(socket.SHUT_WR)
                total = 0
                while data := connection.recv(65536):
                    total += len(data)
                print('GREETED', total, flush=True)
            elif words[0] == b'source':
                left = int(words[1])
                block = bytes(range(256)) * 256
                while left > 0:
                    part = block[:min(left, len(block))]
                    connection.sendall(part)
                    left -= len(part)
            elif words[0] == b'deaf':
                threading.Event().wait()
        except OSError:
            pass
        print('ENDED', words[0].decode(), flush=True)
        connection.close()

    def accept(listener):
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.stack_size(262144)
    plain = socket.socket(socket.AF_UNIX)
    plain.bind(sys.argv[1])
    plain.listen(50)
    listener = socket.socket()
    listener.bind(('127.0.0.1', 0))
    listener.listen(600)
    threading.Thread(target=accept, args=(plain,), daemon=True).start()
    print('READY', listener.getsockname()[1], 'LISTENING', flush=True)
    accept(listener)
    """#
}
