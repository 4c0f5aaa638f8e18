/// What the composition gives to the server: windows for terminals, and answers for `termind ctl`.
@MainActor public protocol ServerHandling: ControlHandling {
  /// Shows something in a terminal, or refuses it.
  ///
  /// Call `accept` or `refuse` of the connection, in this call or later.
  func attach(_ request: AttachRequest, to terminal: TTYConnection)
  /// Starts a transfer command.
  ///
  /// - Parameters:
  ///   - request: What is copied.
  ///   - link: Where its words go.
  /// - Returns: What runs; cancelled when its client goes away.
  func begin(_ request: TransferCommandRequest, for link: any TransferCommandClientLink)
    -> TransferCommandSession
  /// Starts a run of a snippet.
  ///
  /// - Parameters:
  ///   - request: What is run, and where.
  ///   - link: Where its words go.
  /// - Returns: What runs; cancelled when its client goes away.
  func begin(_ request: SnippetCommandRequest, for link: any TransferCommandClientLink)
    -> SnippetCommandSession
  /// Ends the server because a client of another build, or a signal, asks for it.
  ///
  /// - Parameter force: Whether what would be lost does not matter.
  /// - Returns: `nil` when the server ends now, through `ServerProcess.stop`; else what would be lost.
  func endServer(force: Bool) -> String?
}
