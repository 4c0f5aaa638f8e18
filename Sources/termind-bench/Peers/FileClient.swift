/// A client for files that Termind is measured against.
enum FileClient: String, CaseIterable {
  case sftp
  case rclone
  case lftp

  /// What it is asked to do; paths of the server and of this machine are absolute.
  enum Work {
    case get(String, to: String)
    case put(String, to: String)
    case getTree(String, to: String)
    case putTree(String, to: String)
    case list(String)
  }

  /// The program.
  var program: PeerProgram {
    switch self {
    case .sftp: .sftp
    case .rclone: .rclone
    case .lftp: .lftp
    }
  }

  /// The command line.
  ///
  /// - Parameters:
  ///   - work: What it does.
  ///   - server: Where.
  ///   - port: The port, when it is not the server's own.
  ///   - scratch: Where its files lie.
  /// - Returns: The program and its arguments.
  /// - Throws: `.missing` when it is not installed.
  func command(
    for work: Work,
    on server: LoopbackSSHServer,
    port: Int,
    scratch: ScratchFolder
  ) throws(BenchError) -> [String] {
    let path = try program.find()
    switch self {
    case .sftp:
      let batch = try scratch.write("batch", Self.sftpLine(work) + "\n")
      return try server.sftpCommand(batch: batch, port: port)
    case .rclone:
      // Without a shell it asks for no checksums, which would be a login for each file.
      let place =
        ":sftp,shell_type=none,host=127.0.0.1,port=\(port),user=\(server.user)"
        + ",key_file=\(server.userKey):"
      return [path, "--config", scratch.file("rclone.conf")] + Self.rcloneWords(work, place)
    case .lftp:
      let connect = (["ssh", "-a", "-x"] + server.connectOptions).joined(separator: " ")
      return [
        path, "--norc", "-c",
        """
        set sftp:auto-confirm yes; set sftp:connect-program "\(connect)"; \
        open -u \(server.user), sftp://127.0.0.1:\(port) && \(Self.lftpLine(work))
        """,
      ]
    }
  }

  private static func sftpLine(_ work: Work) -> String {
    switch work {
    case .get(let from, let to): "get \(from) \(to)"
    case .put(let from, let to): "put \(from) \(to)"
    case .getTree(let from, let to): "get -r \(from) \(to)"
    case .putTree(let from, let to): "put -r \(from) \(to)"
    case .list(let folder): "ls -1 \(folder)"
    }
  }

  private static func rcloneWords(_ work: Work, _ place: String) -> [String] {
    switch work {
    case .get(let from, let to): ["copyto", place + from, to]
    case .put(let from, let to): ["copyto", from, place + to]
    case .getTree(let from, let to): ["copy", place + from, to]
    case .putTree(let from, let to): ["copy", from, place + to]
    case .list(let folder): ["lsf", place + folder]
    }
  }

  /// Trees go over four connections, as people set it who care for speed.
  private static func lftpLine(_ work: Work) -> String {
    switch work {
    case .get(let from, let to): "get \(from) -o \(to)"
    case .put(let from, let to): "put \(from) -o \(to)"
    case .getTree(let from, let to): "mirror -P4 \(from) \(to)"
    case .putTree(let from, let to): "mirror -R -P4 \(from) \(to)"
    case .list(let folder): "cls -1 \(folder)"
    }
  }
}
