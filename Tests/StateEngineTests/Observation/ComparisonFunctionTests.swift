import ImmutableJSON
import StateEngine
import TestSupport
import Testing
import Threading

@Suite struct ComparisonFunctionTests {
  private let store: AnyStore
  private let deliveries = DeliveryRecorder()

  init() throws {
    self.store = try makeMergeStore(["x": 0])
    try self.store.define("x", "x")
  }

  /// Whether two numbers differ by at least 2.
  private static let isFar: @Sendable (Value, Value) -> Bool = { old, new in
    guard case (.integer(let old), .integer(let new)) = (old, new) else { return true }
    return abs(old - new) >= 2
  }

  @discardableResult
  private func observe(
    _ options: Value = [:], _ didChange: @escaping @Sendable (Value, Value) -> Bool = isFar
  ) throws -> StoreObservation {
    try self.store.observe("x", [:], ObservationOptions(options), didChange: didChange) {
      [deliveries] in deliveries.append($0)
    }
  }

  private func set(_ values: Value...) throws {
    for value in values { try self.store.merge(["x": value]) }
  }

  @Test func smallStepsAddUp() throws {
    try self.observe()
    try self.set(1, 2, 3, 4, 5)
    #expect(self.deliveries.texts == ["0", "2", "4"])
  }

  @Test func withoutInitialTheFirstOutputIsStillTheBase() throws {
    try self.observe(["initial": false])
    try self.set(1, 2, 3)
    #expect(self.deliveries.texts == ["2"])
  }

  @Test func onlyDifferentOutputsAreCompared() throws {
    let compared = Recorder<String>()
    try self.observe([:]) { old, new in
      compared.append("\(old) \(new)")
      return true
    }
    try self.set(1)
    try self.store.merge(["x": 1, "y": 1])
    try self.set(1, 3)
    #expect(compared.all == ["0 1", "1 3"])
  }

  @Test func aPatchStartsFromTheLastDeliveredOutput() throws {
    try self.store.merge(["x": ["a": 0, "b": 0]])
    try self.observe(["deliver": "patch"]) { $0["a"] != $1["a"] }
    try self.set(["b": 1], ["a": 1])
    let patch =
      #"[{"op":"replace","path":"/a","value":1},{"op":"replace","path":"/b","value":1}]"#
    #expect(self.deliveries.texts == [#"{"a":0,"b":0}"#, "patch \(patch)"])
  }

  @Test func aFailureIsAlwaysAChange() throws {
    try self.store.define("sum", "sum([x])")
    try self.store.observe("sum", didChange: { _, _ in false }) { [deliveries] in
      deliveries.append($0)
    }
    try self.set(5, "a", 6, 7)
    #expect(self.deliveries.texts == ["0", "invalidSelector", "6"])
  }

  @Test func aQueuedOutputIsTheBaseOfTheNext() throws {
    try self.observe(["when": "queued"])
    try self.set(1, 2, 3, 4)
    #expect(try self.store.poll() == 3)
    try self.set(5)
    #expect(try self.store.poll() == 0)
    #expect(self.deliveries.texts == ["0", "2", "4"])
  }

  @Test func coalescedOutputsAreCompared() throws {
    try self.observe(["when": "queued", "coalesce": true])
    try self.set(1)
    #expect(try self.store.poll() == 1)
    try self.set(2, 3, 4)
    #expect(try self.store.poll() == 1)
    try self.set(6, 4)
    // The queue held 6, which 4 replaced: it equals the output delivered last.
    #expect(try self.store.poll() == 0)
    try self.set(5, 6)
    #expect(try self.store.poll() == 1)
    #expect(self.deliveries.texts == ["0", "4", "6"])
  }

  @Test func aDependencyHasAComparisonOfItsOwn() throws {
    try self.store.merge(["y": 0, "z": 0])
    for name in ["y", "z"] { try self.store.define(name, name) }
    try self.store.define("all", "[x, y, z]")
    let compared = Recorder<Value>()
    try self.store.observe(
      "all", [:], ObservationOptions(["dependencies": ["y", "z"]]),
      dependencyDidChange: { index, last, output in
        compared.append([.integer(Int64(index)), last, output])
        return index == 1 || output == 3
      }
    ) { [deliveries] in deliveries.append($0) }
    for (y, z): (Value, Value) in [(1, 0), (2, 0), (2, 1), (3, 1)] {
      try self.store.merge(["y": y, "z": z])
    }
    try self.set(1)
    // Small steps of the first add up.
    #expect(compared.all == [[0, 0, 1], [0, 0, 2], [0, 0, 2], [1, 0, 1], [0, 0, 3]])
    #expect(self.deliveries.texts == ["[0,0,0]", "[0,2,1]", "[0,3,1]"])
  }

  @Test func dependenciesAreComparedAsJSON() throws {
    try self.store.merge(["y": 0])
    try self.store.define("y", "y")
    try self.observe(["dependencies": ["y"]])
    try self.set(2)
    try self.store.merge(["x": 3, "y": 1])
    try self.store.merge(["x": 4, "y": 2])
    try self.store.merge(["x": 5, "y": 3])
    #expect(self.deliveries.texts == ["0", "3", "5"])
  }

  @Test func itMustNotDispatch() throws {
    let store = self.store
    let messages = Recorder<String>()
    try self.observe([:]) { _, _ in
      do throws(EngineError) {
        try store.dispatch(["type": "merge", "payload": ["x": 9]])
      } catch {
        messages.append("\(error.code): \(error.message)")
      }
      return true
    }
    try self.set(1)
    #expect(
      messages.all == [
        "reentrant: the comparison of an observer dispatched an action; dispatch in the observer "
          + "instead"
      ])
    // The output counts as changed.
    #expect(self.deliveries.texts == ["0", "1"])
    try store.dispatch(["type": "merge", "payload": ["y": 9]])
  }

  @Test func aForbiddenDispatchCountsAsChanged() throws {
    let store = self.store
    try self.observe([:]) { _, _ in
      try? store.dispatch(["type": "merge"])
      return false
    }
    try self.set(1)
    #expect(self.deliveries.texts == ["0", "1"])
  }

  @Test func itMaySelect() throws {
    let store = self.store
    let outputs = Recorder<Value>()
    try self.observe([:]) { _, _ in
      if let output = try? store.select("x") { outputs.append(output) }
      return true
    }
    try self.set(1)
    #expect(outputs.all == [1])
  }

  @Test(arguments: ["inline", "queued"])
  func cancellingInsideEndsTheObservation(_ timing: String) throws {
    let observation = Mutex<StoreObservation?>(nil)
    let releases = Recorder<Bool>()
    let made = try self.store.observe(
      "x", [:], ObservationOptions(["when": .string(timing)]),
      release: { releases.append(true) },
      didChange: { _, _ in
        observation.withLock { $0 }?.cancel()
        #expect(releases.all.isEmpty)
        return true
      }
    ) { [deliveries] in deliveries.append($0) }
    observation.withLock { $0 = made }
    _ = try self.store.poll()
    try self.set(1, 2)
    #expect(try self.store.poll() == 0)
    #expect(releases.all.count == 1)
    #expect(self.deliveries.texts == ["0"])
    #expect(try self.store.statistics()["observations"] == 0)
  }

  @Test func closingInsideEndsTheObservation() throws {
    let store = self.store
    let releases = Recorder<Bool>()
    try store.observe(
      "x", release: { releases.append(true) },
      didChange: { _, _ in
        store.close()
        return true
      }
    ) { [deliveries] in deliveries.append($0) }
    try self.set(1)
    #expect(releases.all.count == 1)
    #expect(self.deliveries.texts == ["0"])
  }

  @Test func aCancelWaitsForTheComparison() throws {
    let hasEntered = Recorder<Bool>()
    let returns = Recorder<Bool>()
    let observation = Mutex<StoreObservation?>(nil)
    let made = try self.store.observe(
      "x",
      didChange: { _, _ in
        hasEntered.append(true)
        while observation.withLock({ $0?.isCancelled }) != true {}
        returns.append(true)
        return true
      }
    ) { _ in }
    observation.withLock { $0 = made }
    let store = self.store
    let dispatching = try #require(Thread.start { try? store.merge(["x": 1]) })
    hasEntered.wait(for: 1)
    made.cancel()
    #expect(returns.all.count == 1)
    dispatching.join()
  }

  @Test func aCancelReleasesTheFunctions() throws {
    final class Resource: Sendable {}
    weak var released: Resource?
    let observation: StoreObservation
    do {
      let resource = Resource()
      released = resource
      observation = try self.store.observe(
        "x", filter: { _, _, _ in resource === resource },
        didChange: { _, _ in resource === resource }
      ) { _ in }
    }
    #expect(released != nil)
    observation.cancel()
    #expect(released == nil)
  }

  @Test func aPollMayRunBesideTheComparison() throws {
    let store = self.store
    let (inObserver, compared) = (Recorder<Bool>(), Recorder<Bool>())
    try store.observe(
      "x", [:], ObservationOptions(["when": "queued"]),
      didChange: { _, _ in
        inObserver.wait(for: 1)
        compared.append(true)
        return true
      }
    ) { _ in
      inObserver.append(true)
      compared.wait(for: 1)
    }
    let polling = try #require(Thread.start { _ = try? store.poll() })
    try self.set(1)
    polling.join()
    #expect(try store.poll() == 1)
  }
}
