/// A TCP proxy in front of a server on 127.0.0.1 that breaks what the server sends, once, at a given byte.
public final class BreakingProxy: Sendable {
  /// What it does at that byte.
  public enum Manner: String, Sendable, CaseIterable {
    /// Turns a bit round and goes on.
    case flip
    /// Leaves a byte out and goes on.
    case drop
    /// Passes nothing more, and keeps the connection.
    case stall
    /// Closes the connection.
    case cut
    /// Resets the connection.
    case reset
  }

  /// Its port on 127.0.0.1.
  public let port: UInt16
  private let folder: TemporaryFolder
  private let program: TestProgram

  /// Starts it.
  ///
  /// - Parameters:
  ///   - target: The port of the server.
  ///   - manner: How it breaks the stream.
  ///   - places: How many bytes pass before; one for each connection, in turn.
  /// - Throws: A `TestFailure` when it does not start.
  public init(to target: UInt16, _ manner: Manner, at places: [Int]) async throws {
    folder = try TemporaryFolder()
    let script = try folder.write("proxy.py", Self.script)
    program = try TestProgram(
      "/usr/bin/python3",
      [script, String(target), manner.rawValue] + places.map { String($0) }
    )
    // The last word tells that the line is whole.
    try await program.wait(for: " LISTENING")
    let line = program.text.split(separator: "\n").first { $0.hasPrefix("READY ") } ?? ""
    guard let port = line.split(separator: " ").dropFirst().first.flatMap({ UInt16($0) }) else {
      throw TestFailure("no port in \(line)")
    }
    self.port = port
  }

  private static let script = #"""
    import socket, struct, sys, threading

    target, manner = int(sys.argv[1]), sys.argv[2]
    places = [int(word) for word in sys.argv[3:]]

    def end(*sockets):
        for each in sockets:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def pump(source, sink, resetting):
        try:
            while True:
                data = source.recv(65536)
                if not data:
                    break
                sink.sendall(data)
        except OSError:
            pass
        if not resetting.is_set():
            end(source, sink)

    def reset(server, client, reader, resetting):
        # A socket on which another thread waits is not closed: that one is ended first, without a word to the client.
        resetting.set()
        end(server)
        client.shutdown(socket.SHUT_RD)
        reader.join()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
        client.close()

    def breaking(server, client, place, reader, resetting):
        passed = 0
        broken = False
        try:
            while True:
                data = bytearray(server.recv(65536))
                if not data:
                    break
                if not broken and passed + len(data) > place:
                    broken = True
                    at = place - passed
                    if manner == 'flip':
                        data[at] ^= 0x10
                    elif manner == 'drop':
                        del data[at]
                    else:
                        client.sendall(data[:at])
                        if manner == 'stall':
                            while server.recv(65536):
                                pass
                        if manner == 'reset':
                            reset(server, client, reader, resetting)
                        break
                passed += len(data)
                client.sendall(data)
        except OSError:
            pass
        end(server, client)

    listener = socket.socket()
    listener.bind(('127.0.0.1', 0))
    listener.listen(50)
    print('READY', listener.getsockname()[1], 'LISTENING', flush=True)
    number = 0
    while True:
        client, _ = listener.accept()
        server = socket.create_connection(('127.0.0.1', target))
        place = places[min(number, len(places) - 1)]
        number += 1
        resetting = threading.Event()
        reader = threading.Thread(target=pump, args=(client, server, resetting), daemon=True)
        reader.start()
        threading.Thread(
            target=breaking, args=(server, client, place, reader, resetting), daemon=True).start()
    """#
}
