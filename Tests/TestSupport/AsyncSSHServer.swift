public import TermindDomain

/// A real SSH server on asyncssh with Debian's Python, as a third opinion beside OpenSSH and dropbear.
///
/// Everybody gets in. Programs run with `/bin/sh`, with pipes or on a PTY; forwarding and SFTP are allowed.
public final class AsyncSSHServer: Sendable {
  /// Its port on 127.0.0.1.
  public let port: UInt16
  private let folder: TemporaryFolder
  private let program: TestProgram

  /// Starts it.
  public init() async throws {
    folder = try TemporaryFolder()
    let script = try folder.write("server.py", Self.script)
    program = try TestProgram("/usr/bin/python3", ["-W", "ignore", script])
    try await program.wait(for: " LISTENING")
    let line = program.text.split(separator: "\n").first { $0.hasPrefix("READY ") } ?? ""
    guard let port = line.split(separator: " ").dropFirst().first.flatMap({ UInt16($0) }) else {
      throw TestFailure("no port in \(line)")
    }
    self.port = port
  }

  /// What it has written so far.
  public var log: String { program.text }

  /// A hop to it.
  public var hop: Hop {
    Hop(
      endpoint: SSHEndpoint(host: "127.0.0.1", port: port),
      credentials: HopCredentials(username: "anyone", usesAgent: false)
    )
  }

  private static let script = #"""
    import asyncio, asyncssh, fcntl, os, signal, struct, termios

    class Server(asyncssh.SSHServer):
        def begin_auth(self, username):
            return False

        def connection_requested(self, *_):
            return True

        def unix_connection_requested(self, *_):
            return True

        def server_requested(self, *_):
            return True

        def unix_server_requested(self, *_):
            return True

    def set_size(terminal, size):
        columns, rows, width, height = size
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, width, height))

    async def pump(source, sink):
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()

    async def feed(process, child, write, end, terminal):
        try:
            while True:
                try:
                    data = await process.stdin.read(65536)
                except asyncssh.TerminalSizeChanged as change:
                    set_size(terminal, (change.width, change.height, change.pixwidth, change.pixheight))
                    continue
                except asyncssh.SignalReceived as received:
                    child.send_signal(getattr(signal, 'SIG' + received.signal))
                    continue
                except asyncssh.BreakReceived:
                    continue
                if not data:
                    end()
                    return
                await write(data)
        except (OSError, asyncssh.Error):
            pass

    async def session(process):
        words = ['/bin/sh'] + (['-c', process.command] if process.command is not None else [])
        tasks = []
        if process.term_type:
            terminal, inner = os.openpty()
            set_size(terminal, process.term_size)
            child = await asyncio.create_subprocess_exec(
                *words, stdin=inner, stdout=inner, stderr=inner, start_new_session=True,
                env=dict(os.environ, TERM=process.term_type),
                preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
            os.close(inner)
            reader = asyncio.StreamReader()
            await asyncio.get_event_loop().connect_read_pipe(
                lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(os.dup(terminal), 'rb', 0))

            async def write(data):
                os.write(terminal, data)

            async def output():
                try:
                    await pump(reader, process.stdout)
                except OSError:
                    pass
            tasks.append(asyncio.create_task(output()))
            feeding = asyncio.create_task(feed(process, child, write, lambda: None, terminal))
        else:
            pipe = asyncio.subprocess.PIPE
            child = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe, stderr=pipe)

            async def write(data):
                child.stdin.write(data)
                await child.stdin.drain()
            tasks.append(asyncio.create_task(pump(child.stdout, process.stdout)))
            tasks.append(asyncio.create_task(pump(child.stderr, process.stderr)))
            feeding = asyncio.create_task(feed(process, child, write, child.stdin.close, None))
        try:
            await asyncio.gather(*tasks, return_exceptions=True)
            status = await child.wait()
            if status < 0:
                process.exit_with_signal(signal.Signals(-status).name[3:])
            else:
                process.exit(status)
        finally:
            feeding.cancel()
            if child.returncode is None:
                child.kill()

    async def main():
        key = asyncssh.generate_private_key('ssh-ed25519')
        server = await asyncssh.create_server(
            Server, '127.0.0.1', 0, server_host_keys=[key], process_factory=session,
            sftp_factory=True, line_editor=False, encoding=None)
        print('READY %d LISTENING' % server.sockets[0].getsockname()[1], flush=True)
        await asyncio.sleep(100000)

    asyncio.run(main())
    """#
}
