import ImmutableData
import ImmutableJSON
import Synchronization
import Threading

/// The trace of one store: a line of JSON for each action, evaluation and effect.
///
/// A store that is not traced pays one comparison where something could be traced. Lines are
/// written outside of all locks except the dispatch lock of another store whose reducer uses this
/// one.
final class Tracer: Sendable {
  /// The number of the store in the process, and its name in lines.
  let number: Int
  let name: String
  private let options: TraceOptions
  private let output: TraceOutput?
  private let function = CallbackSlot<Text>()

  /// What is traced at present, and what of it the function or the output gets.
  private let kinds = Atomic<UInt8>(0)
  private let ownKinds = Atomic<UInt8>(0)
  private let lastNumber = Atomic(0)

  private struct State {
    /// The reading of commits, while actions are traced.
    var subscription: Subscription?
    /// Those who get the lines that are no actions, too.
    var listeners: [TraceLines] = []
    var isClosed = false
  }

  private let state = Mutex(State())

  // Set once, before the store is used:
  nonisolated(unsafe) private(set) var commits: CommitSequence?
  nonisolated(unsafe) private(set) var encoding: (any CommitEncoding.Type)?

  let last = LastState()

  /// - Parameters:
  ///   - kind: What the store is, for its name.
  ///   - option: The option `trace` of the store.
  convenience init(_ kind: String, _ option: Value?) throws(EngineError) {
    let environment = TraceEnvironment.current
    let options = try TraceOptions(option: option, environment)
    let output: TraceOutput?
    switch options.destination {
    case .nowhere: output = nil
    case .standardError: output = .standardError
    case .file(let path):
      do {
        output = try TraceOutput.file(path)
      } catch {
        // The option names another file, or none: it is the environment that is wrong.
        guard option?["file"] == nil else { throw error }
        TraceOutput.warn("IMMUTABLEDATA_TRACE_FILE: \(error.message)")
        output = nil
      }
    }
    self.init(kind, options, output)
  }

  init(_ kind: String, _ options: TraceOptions, _ output: TraceOutput?) {
    self.number = storeCount.add(1, ordering: .relaxed).newValue
    self.name = "\(kind) \(self.number)"
    self.options = options
    self.output = output
  }
}

/// The number of stores of this process so far.
private let storeCount = Atomic(0)

extension Tracer {
  /// Whether something is traced.
  @inline(__always)
  func shows(_ kinds: TraceOptions.Kinds) -> Bool {
    self.kinds.load(ordering: .relaxed) & kinds.bits != 0
  }

  var redaction: Redaction {
    self.options.redaction
  }

  /// Begins the trace of a store. Called once, before the store is used.
  func begin(_ commits: CommitSequence, _ encoding: any CommitEncoding.Type) {
    (self.commits, self.encoding) = (commits, encoding)
    self.update()
  }

  /// Sets the function that gets the lines; `nil` removes it, and the lines go where the options
  /// say.
  func use(_ function: Callback<Text>?) {
    self.function.use(function)
    self.update()
  }

  /// Adds to a queue what happens besides actions, until the queue is removed.
  func add(_ listener: TraceLines) {
    self.state.withLock { $0.listeners.append(listener) }
    self.update()
  }

  func remove(_ listener: TraceLines) {
    self.state.withLock { $0.listeners.removeAll { $0 === listener } }
    self.update()
  }

  /// Ends the trace. When this returns, the function neither runs nor will run.
  func close() {
    self.function.close()
    self.update(closing: true)
  }

  private func update(closing: Bool = false) {
    let old = self.state.withLock { state -> Subscription? in
      state.isClosed = state.isClosed || closing
      let isOn = !state.isClosed && (self.output != nil || self.function.current != nil)
      var own = isOn ? self.options.kinds : .none
      if own.contains(.actions) { own.bits |= TraceOptions.Kinds.rejections.bits }
      let others =
        state.isClosed || state.listeners.isEmpty ? 0 : TraceOptions.Kinds.besidesActions.bits
      self.ownKinds.store(own.bits, ordering: .relaxed)
      self.kinds.store(own.bits | others, ordering: .relaxed)
      guard self.shows(.actions) != (state.subscription != nil) else { return nil }
      self.commits?.measureReducer(state.subscription == nil)
      guard state.subscription == nil else { return state.subscription.take() }
      state.subscription = self.commits?.subscribe(.trace) { self.write($0, in: $1) }
      return nil
    }
    old?.cancel()
  }
}

// MARK: Lines

extension Tracer {
  typealias Members = [(String, Value)]

  /// Writes a line. What a function that gets lines does on its thread is not traced.
  func write(_ trace: String, in scope: CallScope = .current, _ members: () -> Members) {
    guard !scope.isInside(.trace) else { return }
    let line = Value.object(
      JSONObject(
        [
          ("trace", .string(trace)), ("store", .string(self.name)),
          ("time", .integer((self.commits?.clock ?? .system).now)),
        ] + members()))
    let kind = TraceOptions.Kinds(ofLine: trace)
    if TraceOptions.Kinds.besidesActions.contains(kind) {
      for listener in self.state.withLock({ $0.listeners }) { listener.append(line) }
    }
    guard kind.bits & self.ownKinds.load(ordering: .relaxed) != 0 else { return }
    if self.function.current != nil, self.function.call(Text.make(json: line)) { return }
    self.output?.write(line)
  }

  /// A number for the lines of one effect or request.
  func nextNumber() -> Value {
    .integer(Int64(self.lastNumber.add(1, ordering: .relaxed).newValue))
  }

  /// A duration in nanoseconds as a member of a line, in tenths of a microsecond.
  func microseconds(_ nanoseconds: Int) -> Value {
    .real(Double(nearest: UInt128(max(nanoseconds, 0) / 100), dividedBy: 10))
  }

  func microseconds(since start: Int) -> Value {
    self.microseconds(Clock.uptimeNanoseconds - start)
  }

  /// The members that say why something failed.
  func members(of error: EngineError) -> Members {
    [
      ("code", .string("\(error.code)")),
      ("message", self.redaction.apply(toMessage: error.message)),
    ]
  }
}
