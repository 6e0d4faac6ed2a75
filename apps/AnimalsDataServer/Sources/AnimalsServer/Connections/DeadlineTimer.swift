import NIOCore

/// Calls a function on an event loop when a deadline passes. Optimized for deadlines that change
/// often.
///
/// A later deadline does not reschedule the task: the task checks the deadline when it runs. So a
/// busy connection does not schedule a task for each request.
final class DeadlineTimer {
  private let eventLoop: any EventLoop
  private let onExpiry: () -> Void
  private var deadline: NIODeadline?
  private var scheduled: (task: Scheduled<Void>, at: NIODeadline)?

  /// - Parameter onExpiry: Called once for each deadline that passes.
  init(on eventLoop: any EventLoop, onExpiry: @escaping () -> Void) {
    self.eventLoop = eventLoop
    self.onExpiry = onExpiry
  }

  /// Sets the deadline to a time from now; `nil` removes it.
  func set(_ time: Duration?) {
    self.deadline = time.map { .now() + TimeAmount($0) }
    self.schedule()
  }

  /// Removes the deadline, and releases what the scheduled task retains.
  func cancel() {
    self.deadline = nil
    self.scheduled?.task.cancel()
    self.scheduled = nil
  }

  private func schedule() {
    guard let deadline = self.deadline else { return }
    if let scheduled = self.scheduled {
      if scheduled.at <= deadline { return }
      scheduled.task.cancel()
    }
    let task = self.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.wake() }
    self.scheduled = (task, deadline)
  }

  private func wake() {
    self.scheduled = nil
    guard let deadline = self.deadline else { return }
    if NIODeadline.now() < deadline {
      self.schedule()
    } else {
      self.deadline = nil
      self.onExpiry()
    }
  }
}
