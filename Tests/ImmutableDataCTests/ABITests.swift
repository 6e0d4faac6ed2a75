import CImmutableData
import CounterData
import ImmutableData
@testable import ImmutableDataC
import StateEngine
import Testing

/// A domain whose reducer calls its own store through the ABI, as its action says.
private enum LoopDomain: Domain {
  struct State: Codable, Sendable { var count = 0 }

  enum Action: Codable, Sendable {
    case nothing, dispatch, dispatchBatch, select, define, statistics, close, fail
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  nonisolated(unsafe) static var store: OpaquePointer?
  nonisolated(unsafe) static var inner = imd_error()
  nonisolated(unsafe) static var message = ""

  static let name = "loop"
  static let summary = "A reducer that uses its own store."
  static let initialState = State()
  static var stateSchema: Schema { .object([.init("count", .integer, "Actions so far.")]) }

  static var actions: [ActionDescription<Action>] {
    [
      "nothing", "dispatch", "dispatchBatch", "select", "define", "statistics", "close", "fail",
    ].map {
      .init($0, "Does so.")
    }
  }

  static var selectors: [SelectorDescription<State>] {
    [.init("selectCount", "Actions so far.", output: .integer) { $0.count }]
  }

  static func reduce(_ state: State, _ action: Action) throws -> State {
    switch action {
    case .nothing: break
    case .dispatch:
      _ = imd_store_dispatch(self.store, #"{"type":"nothing"}"#, -1, &self.inner)
    case .dispatchBatch:
      _ = imd_store_dispatch_batch(self.store, "[]", -1, &self.inner)
    case .select:
      var text: UnsafeMutablePointer<CChar>?
      _ = imd_store_select(self.store, "selectCount", nil, 0, &text, nil, &self.inner)
      imd_free(text)
    case .define:
      _ = imd_store_define_selector(self.store, "count", "count", &self.inner)
    case .statistics:
      var text: UnsafeMutablePointer<CChar>?
      _ = imd_store_statistics(self.store, &text, nil, &self.inner)
      imd_free(text)
    case .close:
      imd_store_close(self.store)
    case .fail:
      throw Failure(description: self.message)
    }
    return State(count: state.count + 1)
  }
}

@c @implementation
public func immutabledata_domains() -> DomainList {
  [CounterDomain.self, LoopDomain.self]
}

// What a reducer in Swift does with its own store, and the checks of handles and messages. The rest
// is tested from C.
@Suite(.serialized) struct ABITests {
  private func open(_ domain: String, _ options: String? = nil) -> OpaquePointer? {
    var store: OpaquePointer?
    var error = imd_error()
    #expect(imd_store_open(domain, options, -1, &store, &error) == IMD_OK)
    return store
  }

  private func select(_ store: OpaquePointer?, _ selector: String) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard imd_store_select(store, selector, nil, 0, &text, nil, nil) == IMD_OK else { return nil }
    defer { imd_free(text) }
    return text.map { String(cString: $0) }
  }

  @Test(arguments: ["dispatch", "dispatchBatch", "select", "define", "statistics"])
  func aReducerThatUsesItsStoreFails(_ type: String) {
    let store = self.open("loop")
    defer { imd_store_close(store) }
    LoopDomain.store = store
    var error = imd_error()
    #expect(imd_store_dispatch(store, #"{"type":"\#(type)"}"#, -1, &error) == IMD_REENTRANT)
    #expect(LoopDomain.inner.status == IMD_REENTRANT)
    #expect(error.text == LoopDomain.inner.text)
    #expect(error.text.hasPrefix("a reducer "))
    #expect(self.select(store, "selectCount") == "0")
    #expect(imd_store_dispatch(store, #"{"type":"nothing"}"#, -1, &error) == IMD_OK)
    #expect(error.status == IMD_OK)
    #expect(error.text == "")
    #expect(self.select(store, "selectCount") == "1")
  }

  @Test func aReducerThatClosesItsStoreFails() {
    let store = self.open("loop")
    defer { imd_store_close(store) }
    LoopDomain.store = store
    var error = imd_error()
    #expect(imd_store_dispatch(store, #"{"type":"close"}"#, -1, &error) == IMD_REENTRANT)
    #expect(
      error.text
        == "a reducer used its own store; use it before the dispatch or after it returned")
    #expect(imd_store_dispatch(store, #"{"type":"nothing"}"#, -1, nil) == IMD_OK)
    #expect(self.select(store, "selectCount") == "1")
  }

  @Test func aClosedHandleStaysClosedWhileOthersOpenAndClose() {
    let closed = self.open("counter")
    imd_store_close(closed)
    for _ in 0..<5_000 {
      let store = self.open("counter")
      #expect(imd_store_dispatch(closed, "{}", -1, nil) == IMD_CLOSED)
      imd_store_close(closed)
      #expect(self.select(store, "selectValue") == "0")
      imd_store_close(store)
    }
  }

  @Test(arguments: [UInt.max, 0xDEAD_BEEF, UInt(bitPattern: Int.min)])
  func aPointerThatWasNeverAHandleIsRefused(_ number: UInt) {
    let handle = OpaquePointer(bitPattern: number)
    var error = imd_error()
    #expect(imd_store_dispatch(handle, "{}", -1, &error) == IMD_INVALID_ARGUMENT)
    #expect(
      error.text
        == "store was never a valid imd_store *; pass one that this library returned")
    imd_store_close(handle)
  }

  @Test func aHandleOfAnotherKindIsRefused() {
    let store = self.open("counter")
    defer { imd_store_close(store) }
    var stream: OpaquePointer?
    #expect(imd_store_stream(store, nil, 0, &stream, nil) == IMD_OK)
    var error = imd_error()
    #expect(imd_store_dispatch(stream, "{}", -1, &error) == IMD_INVALID_ARGUMENT)
    #expect(imd_stream_next(store, 0, nil, nil, nil, &error) == IMD_INVALID_ARGUMENT)
    #expect(
      error.text
        == "stream was never a valid imd_stream *; pass one that this library returned")
    imd_stream_close(stream)
    #expect(imd_stream_next(stream, 0, nil, nil, nil, nil) == IMD_CLOSED)
  }

  @Test(arguments: 246...262)
  func aLongMessageIsTruncatedAtACharacter(_ letters: Int) {
    let store = self.open("loop")
    defer { imd_store_close(store) }
    LoopDomain.message = String(repeating: "x", count: letters - 4) + "😀"
    var error = imd_error()
    #expect(imd_store_dispatch(store, #"{"type":"fail"}"#, -1, &error) == IMD_REDUCER_FAILED)
    if letters <= 255 {
      #expect(error.text == LoopDomain.message)
    } else {
      #expect(error.text == String(repeating: "x", count: min(letters - 4, 252)) + "…")
    }
  }

  @Test func cUsesATypedStoreOfSwift() throws {
    let store = Store(initialState: CounterState(3), reducer: CounterReducer.reduce)
    let json = try AnyStore(over: store, as: CounterDomain.self)
    let handle = json.makeHandle()
    var stream: OpaquePointer?
    #expect(imd_store_stream(handle, nil, 0, &stream, nil) == IMD_OK)
    let increment = #"{"type":"didTapIncrementButton"}"#
    #expect(imd_store_dispatch(handle, increment, -1, nil) == IMD_OK)
    #expect(store.state == CounterState(4))
    try store.dispatch(action: .didTapDecrementButton)
    try store.dispatch(action: .didTapDecrementButton)
    #expect(self.select(handle, "selectValue") == "2")
    for type in ["didTapIncrementButton", "didTapDecrementButton", "didTapDecrementButton"] {
      var action: OpaquePointer?
      #expect(imd_stream_next(stream, 0, &action, nil, nil, nil) == IMD_OK)
      defer { imd_value_release(action) }
      var text: UnsafeMutablePointer<CChar>?
      #expect(imd_value_text(action, &text, nil, nil) == IMD_OK)
      defer { imd_free(text) }
      #expect(text.map { String(cString: $0) } == #"{"type":"\#(type)"}"#)
    }
    imd_stream_close(stream)
    imd_store_close(handle)
    #expect(imd_store_dispatch(handle, increment, -1, nil) == IMD_CLOSED)
    #expect(throws: EngineError(.closed, "the store was closed; open another one")) {
      try json.dispatch(["type": "didTapIncrementButton"])
    }
    try store.dispatch(action: .didTapIncrementButton)
    #expect(store.state == CounterState(3))
  }

  @Test func eachCodeHasADistinctStatus() {
    let statuses = EngineError.Code.allCases.map(\.status)
    #expect(Set(statuses.map(\.rawValue)).count == EngineError.Code.allCases.count)
    for status in statuses {
      #expect(imd_status_name(status).map { String(cString: $0) }?.hasPrefix("IMD_") == true)
    }
  }
}
