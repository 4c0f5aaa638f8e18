import TermindInfrastructure

/// Prints what a command answers: a script must be able to rely on all of it, or be told.
enum CommandOutput {
  /// Prints an answer.
  ///
  /// - Parameters:
  ///   - text: The whole answer.
  ///   - isJSON: Whether an error is told as JSON.
  ///   - status: What the command exits with.
  /// - Returns: The exit status: that of an error when the answer could not be written.
  static func print(_ text: String, isJSON: Bool = false, status: UInt8 = 0) -> UInt8 {
    do throws(ControlError) {
      try write(text)
      return status
    } catch {
      return RecordOutput.fail(error, isJSON: isJSON)
    }
  }

  /// Writes a part of an answer.
  ///
  /// A reader that has gone, such as `head`, has all that it wants: that ends the process as the system's own
  /// signal would, without a word.
  /// - Parameter text: The part.
  /// - Throws: Why it is not whole.
  static func write(_ text: String) throws(ControlError) {
    do throws(StandardStreamError) { try StandardStream.output.write(text) } catch {
      switch error {
      case .closed: ProcessEnvironment.exit(closedStatus)
      case .failed(let diagnostic):
        throw ControlError(.failed, "The output cannot be written: \(diagnostic).")
      }
    }
  }

  /// What a shell reports of a program that a closed pipe has ended.
  private static let closedStatus: UInt8 = 128 + 13
}
