import Dispatch
import TermindInfrastructure

/// Lets a case, which is one thread, wait for what is asynchronous.
enum Waiting {
  /// The result of a body that runs elsewhere meanwhile.
  static func result<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let outcome = Locked<Result<Value, any Error>?>(nil)
    let end = DispatchSemaphore(value: 0)
    Task {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
      end.signal()
    }
    end.wait()
    guard let result = outcome.withLock({ $0 }) else {
      throw BenchError.failed(step: "wait for a task", diagnostic: "it ended without a result")
    }
    return try result.get()
  }
}
