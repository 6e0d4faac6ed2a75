import Dispatch
import Foundation
import ImmutableData
import ImmutableObservation
import Observation
import Testing

/// A state of three numbers, which each action replaces.
struct Numbers: Hashable, Sendable {
  var first = 0
  var second = 0
  var output = 0
}

final class Events: @unchecked Sendable {
  private let lock = NSLock()
  private var events: [String] = []

  func append(_ event: String) {
    self.lock.withLock { self.events.append(event) }
  }

  /// Returns the events since the last call.
  func take() -> [String] {
    self.lock.withLock {
      defer { self.events = [] }
      return self.events
    }
  }
}

/// An observer of a store of numbers, with any dependencies.
typealias NumbersObserver = Observer<Numbers, Numbers, Int>

private func makeStore(_ numbers: Numbers = Numbers()) -> Store<Numbers, Numbers> {
  Store(initialState: numbers) { $1 }
}

extension Events {
  func filter(_ passes: Bool) -> @Sendable (Numbers, Numbers) -> Bool {
    { _, _ in
      self.append("filter")
      return passes
    }
  }

  func dependency(
    _ name: String, _ select: @escaping @Sendable (Numbers) -> Int
  ) -> ObserverSelector<Numbers, Int> {
    ObserverSelector {
      self.append("select \(name)")
      return select($0)
    } didChange: {
      self.append("changed \(name)?")
      return $0 != $1
    }
  }

  var output: ObserverSelector<Numbers, Int> {
    ObserverSelector {
      self.append("select output")
      return $0.output
    } didChange: {
      self.append("changed output?")
      return $0 != $1
    }
  }
}

@Suite struct TruthTableTests {
  struct Row: CustomTestStringConvertible {
    let filter: Bool?
    let changed: [Bool]
    let output: Bool

    var testDescription: String {
      "filter \(self.filter.map(String.init) ?? "none"), dependencies \(self.changed), "
        + "output \(self.output)"
    }

    /// The expected calls, in order.
    var events: [String] {
      var events = self.filter == nil ? [] : ["filter"]
      guard self.filter != false else { return events }
      let names = ["first", "second"].prefix(self.changed.count)
      events += names.map { "select \($0)" }
      let compared = self.changed.firstIndex(of: true).map { $0 + 1 } ?? self.changed.count
      events += names.prefix(compared).map { "changed \($0)?" }
      guard self.changed.isEmpty || self.changed.contains(true) else { return events }
      return events + ["select output", "changed output?"]
    }

    var isPublished: Bool {
      self.output && self.events.last == "changed output?"
    }
  }

  static var rows: [Row] {
    [nil, false, true].flatMap { filter in
      [[], [false], [true], [false, false], [true, true], [false, true]].flatMap { changed in
        [false, true].map { Row(filter: filter, changed: changed, output: $0) }
      }
    }
  }

  private func observer(_ row: Row, _ events: Events) -> NumbersObserver {
    let filter = row.filter.map(events.filter)
    let first = events.dependency("first") { $0.first }
    let second = events.dependency("second") { $0.second }
    return switch row.changed.count {
    case 0: NumbersObserver(filter: filter, outputSelector: events.output)
    case 1: Observer(filter: filter, dependencySelector: first, outputSelector: events.output)
    default:
      Observer(filter: filter, dependencySelector: first, second, outputSelector: events.output)
    }
  }

  @Test(arguments: Self.rows)
  func callsAndTheirOrder(_ row: Row) throws {
    let (events, store) = (Events(), makeStore())
    let observer = self.observer(row, events)
    observer.listen(to: store)
    let names = ["first", "second"].prefix(row.changed.count)
    #expect(events.take() == names.map { "select \($0)" } + ["select output"])
    #expect(observer.output == 0)

    let published = Events()
    withObservationTracking {
      _ = observer.output
    } onChange: {
      published.append("published")
    }
    try store.dispatch(
      action: Numbers(
        first: row.changed.first == true ? 1 : 0, second: row.changed.last == true ? 1 : 0,
        output: row.output ? 1 : 0))
    #expect(events.take() == row.events)
    #expect(observer.output == (row.isPublished ? 1 : 0))
    #expect(published.take() == (row.isPublished ? ["published"] : []))
  }
}

@Suite struct ObserverTests {
  private let events = Events()
  private let store = makeStore()

  @Test func thereIsNoOutputBeforeListening() {
    let observer = NumbersObserver(
      outputSelector: ObserverSelector { (state: Numbers) in state.output })
    #expect(observer.output == nil)
    observer.listen(to: self.store)
    #expect(observer.output == 0)
  }

  @Test func listeningToTheSameStoreAgainDoesNothing() {
    let observer = NumbersObserver(outputSelector: self.events.output)
    observer.listen(to: self.store)
    #expect(self.events.take() == ["select output"])
    observer.listen(to: self.store)
    #expect(self.events.take() == [])
  }

  @Test func listeningToAnotherStoreStartsAgain() throws {
    let other = makeStore(Numbers(output: 7))
    let observer = NumbersObserver(
      filter: self.events.filter(false), outputSelector: self.events.output)
    observer.listen(to: self.store)
    _ = self.events.take()
    observer.listen(to: other)
    #expect(self.events.take() == ["select output"])
    #expect(observer.output == 7)
    try self.store.dispatch(action: Numbers(output: 1))
    #expect(self.events.take() == [])
    try other.dispatch(action: Numbers(output: 1))
    #expect(self.events.take() == ["filter"])
  }

  @Test func listeningInAReducerIsAnError() throws {
    final class StoreReference: @unchecked Sendable {
      weak var store: Store<Numbers, Numbers>?
    }
    let reference = StoreReference()
    let observer = NumbersObserver(outputSelector: self.events.output)
    let store = Store<Numbers, Numbers>(initialState: Numbers()) { _, action in
      if action.first == 1, let store = reference.store { observer.listen(to: store) }
      return action
    }
    reference.store = store
    #expect(throws: ReentrancyError(operation: .subscribe)) {
      try store.dispatch(action: Numbers(first: 1))
    }
    #expect(observer.output == nil)
    observer.listen(to: store)
    #expect(observer.output == 0)
    try store.dispatch(action: Numbers(output: 2))
    #expect(observer.output == 2)
  }

  @Test func outputsAreComparedWithTheLastPublishedOne() throws {
    let observer = NumbersObserver(
      outputSelector: ObserverSelector { (state: Numbers) in
        state.output
      } didChange: {
        abs($0 - $1) >= 2
      })
    observer.listen(to: self.store)
    var outputs: [Int?] = []
    for value in 1...5 {
      try self.store.dispatch(action: Numbers(output: value))
      outputs.append(observer.output)
    }
    #expect(outputs == [0, 2, 2, 4, 4])
  }

  @Test func eachOutputIsForTheStateRightAfterTheAction() throws {
    let (store, seen, latest) = (self.store, Events(), Events())
    let each = ObserverSelector { (state: Numbers) in
      seen.append("\(state.output)")
      return state.output
    }
    let last = ObserverSelector { (state: Numbers) in
      latest.append("\(state.output)")
      return state.output
    }
    let subscription = store.subscribe { transition in
      if transition.newState.output == 1 { try? store.dispatch(action: Numbers(output: 2)) }
    }
    let (following, coalescing) = (
      NumbersObserver(outputSelector: each), NumbersObserver(outputSelector: last, coalesces: true)
    )
    following.listen(to: store)
    coalescing.listen(to: store)
    try store.dispatch(action: Numbers(output: 1))
    #expect(seen.take() == ["0", "1", "2"])
    #expect(latest.take() == ["0", "2", "2"])
    #expect(following.output == 2)
    #expect(coalescing.output == 2)
    withExtendedLifetime(subscription) {}
  }

  @Test func aReleasedOrCancelledObserverReadsNothing() throws {
    var observer: NumbersObserver? = NumbersObserver(outputSelector: self.events.output)
    observer?.listen(to: self.store)
    let cancelled = NumbersObserver(outputSelector: self.events.output)
    cancelled.listen(to: self.store)
    cancelled.cancel()
    _ = self.events.take()
    observer = nil
    try self.store.dispatch(action: Numbers(output: 1))
    #expect(self.events.take() == [])
    #expect(cancelled.output == 0)
    #expect(observer == nil)
  }

  @Test func anObserverDoesNotRetainItsStore() {
    let observer = NumbersObserver(outputSelector: self.events.output)
    weak var gone: Store<Numbers, Numbers>?
    do {
      let store = makeStore()
      gone = store
      observer.listen(to: store)
    }
    #expect(gone == nil)
    #expect(observer.output == 0)
  }

  @Test func aBatchPassesTheFilterIfOneOfItsActionsDoes() throws {
    let observer = Observer(
      filter: { (_: Numbers, action: Numbers) in action.first == 1 },
      outputSelector: self.events.output)
    observer.listen(to: self.store)
    try self.store.dispatch(batch: [Numbers(output: 1), Numbers(output: 2)])
    #expect(observer.output == 0)
    try self.store.dispatch(batch: [Numbers(first: 1), Numbers(output: 3)])
    #expect(observer.output == 3)
  }

  /// A filter decides about actions only.
  @Test func jumpsInTheHistoryArePublished() throws {
    let store = Store<Numbers, Numbers>(initialState: Numbers(), history: HistoryOptions()) { $1 }
    let observer = NumbersObserver(
      filter: self.events.filter(false),
      dependencySelector: ObserverSelector { $0.first },
      outputSelector: ObserverSelector { $0.output })
    observer.listen(to: store)
    for number in 1...2 { try store.dispatch(action: Numbers(first: number, output: number)) }
    #expect(self.events.take() == ["filter", "filter"])
    #expect(observer.output == 0)
    for (jump, output) in [
      ({ try store.undo() }, 1), ({ try store.redo() }, 2), ({ try store.travel(to: 0) }, 0),
    ] as [(() throws -> Void, Int)] {
      withObservationTracking {
        _ = observer.output
      } onChange: { [events] in
        events.append("published")
      }
      try jump()
      #expect(self.events.take() == ["published"])
      #expect(observer.output == output)
    }
  }

  @Test func outputsNeverGoBackDuringDispatches() {
    let store = Store<Int, Int>(initialState: 0) { $0 + $1 }
    let observer = Observer<Int, Int, Int>(outputSelector: ObserverSelector { $0 })
    observer.listen(to: store)
    DispatchQueue.concurrentPerform(iterations: 6) { thread in
      var last = 0
      for _ in 0..<500 {
        if thread < 4 {
          try? store.dispatch(action: 1)
        } else {
          let output = observer.output ?? -1
          #expect(output >= last)
          last = output
        }
      }
    }
    #expect(observer.output == 2_000)
  }
}

private final class Identity: Hashable, @unchecked Sendable {
  var onComparison: () -> Void = {}

  static func == (left: Identity, right: Identity) -> Bool {
    left.onComparison()
    right.onComparison()
    return left === right
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

private final class Dependency: Sendable {
  private let onDeinit: @Sendable () -> Void

  init(onDeinit: @escaping @Sendable () -> Void) {
    self.onDeinit = onDeinit
  }

  deinit {
    self.onDeinit()
  }
}

private final class ObserverReference: @unchecked Sendable {
  weak var observer: NumbersObserver?
}

@Suite struct IdentityTests {
  private let store = makeStore(Numbers(first: 1, second: 2, output: 3))

  private func shows(
    _ part: @escaping @Sendable (Numbers) -> Int
  ) -> ObserverSelector<Numbers, Int> {
    ObserverSelector(select: part)
  }

  @Test func anUpdateWithAnotherIdTakesEffectWhenListening() {
    let observer = NumbersObserver(id: 1, outputSelector: self.shows { $0.first })
    observer.listen(to: self.store)
    observer.update(id: 1, outputSelector: self.shows { $0.second })
    observer.listen(to: self.store)
    #expect(observer.output == 1)
    observer.update(id: 2, outputSelector: self.shows { $0.second })
    #expect(observer.output == 1)
    observer.listen(to: self.store)
    #expect(observer.output == 2)
  }

  /// The `==` of an identity uses the observer. If a lock were held, it would wait forever.
  @Test func identitiesAreComparedWithoutTheLock() {
    let events = Events()
    let identity = Identity()
    let observer = NumbersObserver(id: identity, outputSelector: self.shows { $0.first })
    identity.onComparison = { [weak observer] in
      events.append(observer?.description ?? "")
    }
    observer.update(id: Identity(), label: "new", outputSelector: self.shows { $0.second })
    #expect(events.take() == ["Observer()"])
    #expect(observer.description == "Observer(new)")
  }

  /// The deinitializer of a dependency uses the observer.
  @Test func dependenciesAreReleasedWithoutTheLock() {
    let (events, reference) = (Events(), ObserverReference())
    let observer = NumbersObserver(
      label: "numbers",
      dependencySelector: ObserverSelector { _ in
        Dependency { events.append(reference.observer?.description ?? "") }
      } didChange: { _, _ in
        true
      },
      outputSelector: self.shows { $0.output })
    reference.observer = observer
    observer.listen(to: self.store)
    #expect(events.take() == [])
    observer.cancel()
    #expect(events.take() == ["Observer(numbers)"])
  }

  @Test func nilIsAValidId() {
    let observer = NumbersObserver(
      id: String?.none, outputSelector: self.shows { $0.first })
    observer.listen(to: self.store)
    observer.update(id: String?.none, outputSelector: self.shows { $0.second })
    observer.listen(to: self.store)
    #expect(observer.output == 1)
    observer.update(id: String?.some("x"), outputSelector: self.shows { $0.second })
    observer.listen(to: self.store)
    #expect(observer.output == 2)
  }

  @Test func anUpdateWithoutIdRequiresAnObserverWithOne() {
    let plain = NumbersObserver(label: "plain", outputSelector: self.shows { $0.first })
    plain.update(label: "other", outputSelector: self.shows { $0.second })
    plain.listen(to: self.store)
    #expect(plain.output == 1)
    #expect("\(plain)" == "Observer(plain)")
    let named = NumbersObserver(id: 1, outputSelector: self.shows { $0.first })
    named.update(label: "other", outputSelector: self.shows { $0.second })
    named.listen(to: self.store)
    #expect(named.output == 2)
    #expect("\(named)" == "Observer(other)")
  }
}
