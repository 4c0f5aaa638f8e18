import TermindInfrastructure

/// The words for what can go wrong between a client, its server and the system.
nonisolated enum ProcessErrorText {
  static func text(of error: ServerReachError) -> String {
    switch error {
    case .noServer: "no server is running"
    case .directory(let error): text(of: error)
    case .socket(let error): text(of: error)
    case .startBlocked(let path):
      "another client has been starting the server for 10 seconds; it holds \(path)"
    case .start(let error): "the server cannot be started: \(text(of: error))"
    case .lock(.held(let note)): "another server owns the data directory (\(note))"
    case .lock(.failed(let path, let diagnostic)):
      "the lock \(path) cannot be used: \(diagnostic); its folder must be one that you can write"
    }
  }

  static func text(of error: ServerStartError) -> String {
    switch error {
    case .directory(let error): text(of: error)
    case .busy(let note):
      "another server owns the data directory (\(note)); use it, or end it first"
    case .failed(let diagnostic): "the server cannot be started: \(diagnostic)"
    }
  }

  static func text(of error: DirectoryError) -> String {
    switch error {
    case .absent(let path): "\(path) is absent"
    case .notDirectory(let path): "\(path) is not a directory; move it away"
    case .symbolicLink(let path):
      "\(path) is a symbolic link, which somebody else may have put there; remove it"
    case .foreignOwner(let path, let user):
      "\(path) belongs to another user (\(user)) and is not safe to use; remove it"
    case .tooOpen(let path, let mode):
      "\(path) can be used by others (mode \(String(mode, radix: 8))); run: chmod 700 \(path)"
    case .failed(let path, let diagnostic): "\(path) cannot be used: \(diagnostic)"
    }
  }

  static func text(of error: LocalSocketError) -> String {
    switch error {
    case .absent: "no server is running"
    case .pathTooLong(let path): "the path of the socket is too long: \(path)"
    case .foreignPeer(let user):
      "the socket belongs to a program of another user (\(user)) and is not safe to use"
    case .closed: "the server closed the connection"
    case .failed(let diagnostic): "the server cannot be reached: \(diagnostic)"
    }
  }

  static func text(of error: LocalProgramError) -> String {
    switch error {
    case .notFound(let program): "\(program) was not found"
    case .denied(let program): "\(program) may not be run"
    case .failed(let program, let diagnostic): "\(program) cannot be run: \(diagnostic)"
    }
  }
}
