public import TermindDomain

/// An SSH server whose authentication and sessions are scripted, for what OpenSSH cannot be made to do without PAM.
///
/// It runs on asyncssh with Debian's Python. The user `none` needs nothing; `pw` has the password `secret`; `kbd` answers
/// `one`, `two` in two rounds with a silent round between; `push` gets one round without prompts; `multi` gives
/// a password and then a code; `retry` has the keyboard-interactive password `right`.
public final class ScriptedSSHServer: Sendable {
  /// Its port on 127.0.0.1.
  public let port: UInt16
  private let folder: TemporaryFolder
  private let program: TestProgram

  /// Starts it.
  ///
  /// - Parameter banner: Text to show before authentication.
  /// - Throws: A `TestFailure` when it does not start.
  public init(banner: String = "") async throws {
    folder = try TemporaryFolder()
    let script = try folder.write("server.py", Self.script)
    program = try TestProgram("/usr/bin/python3", ["-W", "ignore", script, banner])
    try await program.wait(for: "READY ")
    let line = program.text.split(separator: "\n").first { $0.hasPrefix("READY ") } ?? ""
    guard let port = UInt16(line.dropFirst(6)) else { throw TestFailure("no port in \(line)") }
    self.port = port
  }

  /// What it has written: one line for each thing that a client did.
  public var log: String { program.text }

  /// Suspends until it has written a text.
  public func wait(forLog part: String) async throws { try await program.wait(for: part) }

  /// Kills it at once, with every connection.
  public func kill() { program.signal(9) }

  /// Stops and continues it as the system would do with a machine that hangs.
  public func freeze() { program.signal(19) }

  /// Lets it go on after `freeze`.
  public func thaw() { program.signal(18) }

  /// A hop to it.
  public func hop(_ user: String) -> Hop {
    Hop(
      endpoint: SSHEndpoint(host: "127.0.0.1", port: port),
      credentials: HopCredentials(username: user, usesAgent: false)
    )
  }

  private static let script = #"""
    import asyncio, asyncssh, sys

    def note(*words):
        print(*words, flush=True)

    class Server(asyncssh.SSHServer):
        def connection_made(self, conn):
            self.conn = conn
            self.rounds = 0
            self.stage = 0
            if sys.argv[1]:
                conn.send_auth_banner(sys.argv[1])

        def begin_auth(self, username):
            self.user = username
            return username != 'none'

        def password_auth_supported(self):
            return self.user in ('pw', 'multi') and self.stage == 0

        def validate_password(self, username, password):
            note('PASSWORD', username, password)
            return password == 'secret'

        def kbdint_auth_supported(self):
            return self.user in ('kbd', 'push', 'retry')

        def get_kbdint_challenge(self, username, lang, submethods):
            self.rounds = 0
            note('KBD', username)
            if username == 'push':
                return ('Push', 'Approve on your phone', '', [])
            if username == 'retry':
                return ('', '', '', [('Password: ', False)])
            return ('First', 'Round one', 'en', [('Password: ', False), ('Name: ', True)])

        def validate_kbdint_response(self, username, responses):
            self.rounds += 1
            note('ANSWERS', username, self.rounds, *responses)
            if username == 'push':
                return True
            if username == 'retry':
                return responses == ['right']
            if self.rounds == 1:
                if list(responses) != ['one', 'name']:
                    return False
                return ('', '', '', [])
            if self.rounds == 2:
                return ('Code', 'Enter the code', '', [('Code: ', True)])
            return list(responses) == ['two']

        def server_requested(self, host, port):
            return False

    async def session(process):
        size = process.term_size
        note('SESSION', process.term_type, *size, process.command or 'shell')
        command = process.command or ''
        if command.startswith('exit '):
            process.stdout.write('bye\n')
            process.exit(int(command[5:]))
            return
        if command == 'signal':
            process.exit_with_signal('TERM', False, 'done')
            return
        if command == 'flood':
            line = 'x' * 1023 + '\n'
            try:
                while True:
                    process.stdout.write(line)
                    await process.stdout.drain()
            except (BrokenPipeError, asyncssh.Error):
                return
        if command == 'deaf':
            process.channel.pause_reading()
            process.stdout.write('deaf\n')
            await asyncio.sleep(3600)
            return
        if command == 'half':
            process.stdout.write('half\n')
            process.stdout.write_eof()
            await asyncio.sleep(0.05)
            process.exit(7)
            return
        process.stdout.write('ready\n')
        while True:
            try:
                data = await process.stdin.read(4096)
                if not data:
                    break
                process.stdout.write(data.upper())
            except asyncssh.TerminalSizeChanged as change:
                note('SIZE', change.width, change.height, change.pixwidth, change.pixheight)
                process.stdout.write('size %d %d\n' % (change.width, change.height))
            except asyncssh.BreakReceived:
                pass
        process.exit(0)

    async def main():
        key = asyncssh.generate_private_key('ssh-ed25519')
        server = await asyncssh.create_server(
            Server, '127.0.0.1', 0, server_host_keys=[key], process_factory=session,
            line_editor=False, encoding='utf-8')
        note('READY %d' % server.sockets[0].getsockname()[1])
        await asyncio.sleep(100000)

    asyncio.run(main())
    """#
}
