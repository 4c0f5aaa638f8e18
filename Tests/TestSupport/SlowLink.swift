/// A slow way to a server on this machine: bytes come late, and the server's come at a bounded rate.
///
/// It takes little beyond what it has on the way, so that a flood stands still on the server's side, as on a real
/// link of that kind.
public final class SlowLink: Sendable {
  /// Where it listens on 127.0.0.1.
  public let port: UInt16
  private let folder: TemporaryFolder
  private let program: TestProgram

  /// Starts it.
  ///
  /// - Parameters:
  ///   - port: The server's port on 127.0.0.1.
  ///   - delay: How long each byte is on the way, in milliseconds, in either direction.
  ///   - rate: How many bytes a second the server's side may send.
  /// - Throws: A `TestFailure` when it does not start.
  public init(to port: UInt16, delay: Int, rate: Int) async throws {
    folder = try TemporaryFolder()
    let script = try folder.write("slow.py", Self.script)
    program = try TestProgram("/usr/bin/python3", [script, "\(port)", "\(delay)", "\(rate)"])
    try await program.wait(for: " LISTENING")
    let words = program.text.split(separator: " ")
    guard let own = words.dropFirst().first.flatMap({ UInt16($0) }) else {
      throw TestFailure("no port in \(program.text)")
    }
    self.port = own
  }

  private static let script = #"""
    import queue, socket, sys, threading, time

    target, delay, rate = int(sys.argv[1]), int(sys.argv[2]) / 1000, int(sys.argv[3])
    CHUNK = 4096

    def carry(source, sink, rate):
        way = queue.Queue(maxsize=16)
        def send():
            free = 0
            while True:
                due, data = way.get()
                time.sleep(max(0, max(due, free) - time.monotonic()))
                try:
                    if not data:
                        sink.shutdown(socket.SHUT_WR)
                        return
                    sink.sendall(data)
                except OSError:
                    return
                if rate:
                    free = max(due, free) + len(data) / rate
        threading.Thread(target=send, daemon=True).start()
        while True:
            try:
                data = source.recv(CHUNK)
            except OSError:
                data = b""
            way.put((time.monotonic() + delay, data))
            if not data:
                return

    listener = socket.create_server(("127.0.0.1", 0))
    print("READY", listener.getsockname()[1], "LISTENING", flush=True)
    while True:
        near, _ = listener.accept()
        far = socket.socket()
        far.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
        far.connect(("127.0.0.1", target))
        for each in (near, far):
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=carry, args=(near, far, 0), daemon=True).start()
        threading.Thread(target=carry, args=(far, near, rate), daemon=True).start()
    """#
}
