import Dispatch

/// Runs an actor on a serial queue of its own.
///
/// Blocking work there occupies neither the event loops nor the threads of Swift concurrency.
final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) {
    self.queue = DispatchQueue(label: label)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    self.queue.async {
      job.runSynchronously(on: self.asUnownedSerialExecutor())
    }
  }
}
