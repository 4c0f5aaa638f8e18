public import TermindDomain

/// One open file of a file system; to be closed by whoever opened it.
public protocol OpenFile: AnyObject, Sendable {
  /// Where it was opened.
  var path: RemotePath { get }

  /// Tells the attributes of the open file itself, whatever its name means now.
  func attributes() async throws(FileError) -> FileAttributes
  /// Changes the attributes of the open file.
  func change(_ change: FileAttributeChange) async throws(FileError)
  /// Reads at an offset; fewer bytes than asked for do not mean the end, none do.
  ///
  /// - Parameters:
  ///   - offset: The first byte.
  ///   - count: Most bytes to return, from 1 to 261,120.
  /// - Returns: The bytes; none at the end of the file.
  /// - Throws: Why it cannot be read.
  func read(at offset: UInt64, count: Int) async throws(FileError) -> ArraySlice<UInt8>
  /// Reads on and on with many requests in flight.
  ///
  /// - Parameters:
  ///   - offset: The first byte.
  ///   - end: The first byte that is not wanted; nil reads to the end of the file.
  /// - Returns: The reader; nothing is asked for before its first call.
  func reader(from offset: UInt64, to end: UInt64?) -> any FileReading
  /// Writes on and on with many requests in flight.
  ///
  /// - Parameter offset: Where the first byte goes.
  /// - Returns: The writer.
  func writer(at offset: UInt64) -> any FileWriting
  /// Waits until what was written is on the disk; `unsupported` where the file system cannot tell.
  func sync() async throws(FileError)
  /// Closes it; some file systems only tell now that earlier data was lost.
  func close() async throws(FileError)
  /// Gives up a file of which nothing was written, without waiting until it is closed.
  func discard() async
}

/// Reads a file from one place on, in order; used by one task.
public protocol FileReading: AnyObject, Sendable {
  /// Returns the next bytes; nil at the end that was asked for or at the file's.
  func next() async throws(FileError) -> ArraySlice<UInt8>?
  /// Gives up what is in flight; to be called when the end was not reached.
  func stop() async
}

/// Writes a file from one place on, in order; used by one task.
public protocol FileWriting: AnyObject, Sendable {
  /// Takes the next bytes, and returns once there is room for more.
  ///
  /// - Throws: The first failure of anything that was written so far.
  func write(_ bytes: ArraySlice<UInt8>) async throws(FileError)
  /// Returns once everything was acknowledged.
  ///
  /// - Throws: The first failure of anything that was written.
  func finish() async throws(FileError)
  /// Gives up what is in flight, and returns once nothing more is sent; to be called before the file is closed when
  /// `finish` was not reached.
  func stop() async
}
