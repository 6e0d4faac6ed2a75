import TestSupport
import Threading

/// Runs functions on threads of their own, of which exactly one runs at a time. One seed decides
/// which one goes on when another one gives way.
final class Scheduler: @unchecked Sendable {
  private final class Task: Sendable {
    let hasTurn = Condition()
  }

  private let lock = Lock()
  private let tasks: [Task]
  // Used by the thread that runs.
  private var running = 0
  private var isDone: [Bool]
  /// How often others go on before a task that is stopped.
  private var stops: [Int]
  private var random: SeededGenerator
  /// A task gives way once in so many times.
  private let rate: Int

  init(_ seed: Int, tasks: Int) {
    self.random = SeededGenerator(seed)
    self.rate = [1, 2, 4, 12].randomElement(using: &self.random) ?? 1
    self.tasks = (0..<tasks).map { _ in Task() }
    self.isDone = Array(repeating: false, count: tasks)
    self.stops = Array(repeating: 0, count: tasks)
  }
}

extension Scheduler {
  /// Runs `body` for each task, and returns when all have ended.
  func run(_ body: @escaping @Sendable (Int) -> Void) {
    self.isDone = self.tasks.map { _ in false }
    self.stops = self.tasks.map { _ in 0 }
    self.running = Int.random(in: 0..<self.tasks.count, using: &self.random)
    let threads = self.tasks.indices.map { task in
      Thread.start {
        self.lock.lock()
        self.wait(task)
        self.lock.unlock()
        body(task)
        self.isDone[task] = true
        self.handOver()
      }
    }
    for thread in threads {
      guard let thread else { preconditionFailure("the system cannot create another thread") }
      thread.join()
    }
  }

  /// The task that runs.
  var current: Int {
    self.running
  }

  func isStopped(_ task: Int) -> Bool {
    self.stops[task] > 0
  }

  /// Lets another task go on, or this one, as the seed decides.
  func giveWay() {
    guard self.rate == 1 || self.stops[self.running] > 0 || self.random.isOne(in: self.rate) else {
      return
    }
    let task = self.running
    self.handOver()
    self.lock.lock()
    self.wait(task)
    self.lock.unlock()
  }

  /// Lets a task be stopped for so many turns of others.
  func stop(_ task: Int, for turns: Int) {
    self.stops[task] = turns
  }

  private func wait(_ task: Int) {
    while self.running != task { self.tasks[task].hasTurn.wait(self.lock) }
  }

  private func handOver() {
    let waiting = self.tasks.indices.filter { !self.isDone[$0] }
    guard let next = self.choose(waiting) else { return }
    self.lock.lock()
    self.running = next
    self.lock.unlock()
    self.tasks[next].hasTurn.broadcast()
  }

  private func choose(_ waiting: [Int]) -> Int? {
    for task in waiting where self.stops[task] > 0 { self.stops[task] -= 1 }
    let ready = waiting.filter { self.stops[$0] == 0 }
    if let next = ready.randomElement(using: &self.random) { return next }
    guard let next = waiting.randomElement(using: &self.random) else { return nil }
    self.stops[next] = 0
    return next
  }
}
