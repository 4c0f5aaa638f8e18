import FoundationEssentials
import TermindInfrastructure

/// A program that the bench needs, found in `PATH`.
enum PeerProgram: String {
  case tmux
  case ssh
  case sshd
  case sshKeygen = "ssh-keygen"
  case sftpServer = "sftp-server"
  case sftp
  case rclone
  case lftp

  private var package: String {
    switch self {
    case .tmux, .rclone, .lftp: rawValue
    case .ssh, .sshKeygen, .sftp: "openssh-client"
    case .sshd: "openssh-server"
    case .sftpServer: "openssh-sftp-server"
    }
  }

  /// The path of the program.
  func find() throws(BenchError) -> String {
    let folders = (ProcessEnvironment.value(of: "PATH") ?? "").split(separator: ":").map(
      String.init
    )
    for folder in folders + ["/usr/sbin", "/usr/local/sbin", "/usr/lib/openssh"] {
      let path = "\(folder)/\(rawValue)"
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw .missing(program: rawValue, package: package)
  }

  /// Says first what is missing, before anything is measured.
  static func require(_ programs: [PeerProgram]) throws(BenchError) {
    for program in programs { _ = try program.find() }
  }
}
