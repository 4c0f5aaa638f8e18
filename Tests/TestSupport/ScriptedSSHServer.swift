public import TermindDomain

/// An SSH server whose authentication and sessions are scripted, for what OpenSSH cannot be made to do without PAM.
///
/// It runs on asyncssh with Debian's Python. The user `none` needs nothing; `pw` has the password `secret`; `kbd` answers
/// `one`, `two` in two rounds with a silent round between; `push` gets one round without prompts; `multi` gives
/// a password and then a code; `retry` has the keyboard-interactive password `right`; `single` has the
/// password `secret` and may have one session a connection; `expired` has the password `secret`, which must be
/// changed to one of eight characters or more that is not `password`; `stuck` is never answered, `thrown` is
/// disconnected, and `closed` gets in and then no answer to any channel that it opens; `tiny` gets in and may send
/// one byte at a time.
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
    // The last word tells that the line is whole.
    try await program.wait(for: " LISTENING")
    let line = program.text.split(separator: "\n").first { $0.hasPrefix("READY ") } ?? ""
    guard let port = line.split(separator: " ").dropFirst().first.flatMap({ UInt16($0) }) else {
      throw TestFailure("no port in \(line)")
    }
    self.port = port
  }

  /// What it has written: one line for each thing that a client did.
  public var log: String { program.text }

  /// Suspends until it has written a text.
  public func wait(forLog part: String) async throws { try await program.wait(for: part) }

  /// Kills it at once, with every connection.
  public func kill() { program.signal(9) }

  /// Suspends until its process is gone and its port with it.
  public func waitForExit() async throws { _ = try await program.waitForExit() }

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
    import asyncio, asyncssh, socket, sys

    def note(*words):
        print(*words, flush=True)

    class Silent:
        def process_open(self, *_):
            pass

    class Server(asyncssh.SSHServer):
        def connection_made(self, conn):
            self.conn = conn
            self.rounds = 0
            self.stage = 0
            self.sessions = 0
            open_session = conn._process_session_open

            def limited(packet):
                # As OpenSSH answers beyond MaxSessions.
                if self.user == 'closed':
                    note('OPEN')
                    return Silent(), None
                if self.user == 'tiny':
                    conn._window = 1
                if self.user == 'single' and self.sessions:
                    raise asyncssh.ChannelOpenError(asyncssh.OPEN_CONNECT_FAILED, 'open failed')
                self.sessions += 1
                return open_session(packet)

            conn._process_session_open = limited
            if sys.argv[1]:
                conn.send_auth_banner(sys.argv[1])

        async def begin_auth(self, username):
            self.user = username
            if username == 'stuck':
                await asyncio.sleep(3600)
            if username == 'thrown':
                self.conn.disconnect(14, 'not you')
            return username not in ('none', 'closed', 'tiny')

        def password_auth_supported(self):
            return self.user in ('pw', 'multi', 'single', 'expired') and self.stage == 0

        async def validate_password(self, username, password):
            note('PASSWORD', username, password)
            if password == 'hang':
                await asyncio.sleep(3600)
            while password == 'banners':
                self.conn.send_auth_banner('x' * 30000)
                await asyncio.sleep(0)
            if username == 'expired' and password == 'secret':
                raise asyncssh.PasswordChangeRequired('Your password has expired.')
            return password == 'secret'

        def change_password(self, username, old_password, new_password):
            note('CHANGE', username, old_password, new_password)
            if len(new_password) < 8:
                raise asyncssh.PasswordChangeRequired('Too short: eight at least.')
            return old_password == 'secret' and new_password != 'password'

        def kbdint_auth_supported(self):
            return self.user in ('kbd', 'push', 'retry', 'thousand', 'escapes', 'endless')

        def get_kbdint_challenge(self, username, lang, submethods):
            self.rounds = 0
            note('KBD', username)
            if username == 'thousand':
                return ('', '', '', [('Prompt %d: ' % i, False) for i in range(1000)])
            if username == 'escapes':
                text = '\x1b]0;evil\x07\x1b[2J\x9b31m\u202eCode: '
                return (text, text, '', [(text, True)])
            if username == 'endless':
                return ('', '', '', [])
            if username == 'push':
                return ('Push', 'Approve on your phone', '', [])
            if username == 'retry':
                return ('', '', '', [('Password: ', False)])
            return ('First', 'Round one', 'en', [('Password: ', False), ('Name: ', True)])

        def validate_kbdint_response(self, username, responses):
            self.rounds += 1
            note('ANSWERS', username, self.rounds, *responses)
            if username in ('push', 'escapes', 'thousand'):
                return True
            if username == 'endless':
                return ('', '', '', [])
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
        if command in ('silent', 'leaving'):
            process.stdout.write('bye\n')
            await process.stdout.drain()
            connection = process.channel.get_connection()
            process.close()
            if command == 'leaving':
                await asyncio.sleep(0.05)
                connection.disconnect(11, 'going down')
            return
        if command == 'requests':
            # Questions without end, and nobody who reads the answers.
            connection = process.channel.get_connection()
            process.stdout.write('asking\n')
            await process.stdout.drain()
            connection._transport.pause_reading()
            # The less the system takes in, the sooner the client has to notice.
            connection._transport.get_extra_info('socket').setsockopt(
                socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            question = asyncssh.packet.String('keepalive@openssh.com') + asyncssh.packet.Boolean(True)
            while not connection._transport.is_closing():
                for _ in range(1000):
                    connection.send_packet(80, question)
                while connection._transport.get_write_buffer_size() > 1000000:
                    await asyncio.sleep(0.01)
            return
        if command == 'mute':
            # Ends, and never answers a close.
            process.channel._process_close = lambda *_: None
            process.stdout.write('mute\n')
            await asyncio.sleep(3600)
            return
        if command == 'early':
            process.channel._send_request(b'exit-status', (3).to_bytes(4, 'big'))
            process.stdout.write('late\n')
            process.close()
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
        note('READY %d LISTENING' % server.sockets[0].getsockname()[1])
        await asyncio.sleep(100000)

    asyncio.run(main())
    """#
}
