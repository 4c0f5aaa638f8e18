/// Finds the `ssh` of this machine when it is first needed, and once.
public actor SSHProgramFinder {
  private let searchPath: String?
  private var found: SSHProgram?

  /// Makes a finder; nothing is looked for yet.
  ///
  /// - Parameter searchPath: The directories, as in `PATH`; those of the system are searched too.
  public init(searchPath: String?) { self.searchPath = searchPath }

  /// The program; nil when there is none, which is looked at anew each time.
  public func program() async -> SSHProgram? {
    if let found { return found }
    let path = searchPath
    found = await BlockingWork.run { _ in SSHProgram.find(searchPath: path) }
    return found
  }
}
