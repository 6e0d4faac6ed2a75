import Glibc
import ImmutableJSON
import Threading

/// Serves the stores of this process that can be inspected, on one socket and one thread, from the
/// first one that is opened to the last one that is closed.
final class Inspector: Sendable {
  private enum Event: Sendable {
    case opened(Value)
    case closed(Int)
  }

  private struct State {
    var stores: [Int: Inspected] = [:]
    /// What clients have not been told yet.
    var events: [Event] = []
    /// The store that answers a request.
    var serving: Int?
    /// Whether the thread has closed the socket, and serves nobody any more.
    var isEnded = false
    var thread: Thread?
    /// The thread, while it runs.
    var runner: ThreadIdentity?
    let wake: ReadySignal
  }

  private let path: String
  private let listener: Int32
  private let inode: ino_t
  private let state: Mutex<State>
  private let hasServed = Condition()
  private let generation = ProcessGeneration.current

  /// How many clients are served at once.
  private static var maxConnections: Int { 16 }

  /// The inspectors of this process, by their paths.
  private static let all = Mutex<[String: Inspector]>([:])
  /// The child of a fork has none.
  private static let handler: Void = ForkHandlers.addForChild {
    all.reinitializeAfterFork { _ in [:] }
  }

  private init(at path: String) throws(EngineError) {
    guard let wake = ReadySignal() else { throw .noDescriptor }
    self.path = path
    (self.listener, self.inode) = try InspectorSocket.listen(at: path)
    self.state = Mutex(State(wake: wake))
  }
}

// MARK: Stores

extension Inspector {
  /// Lets clients see a store, and starts to listen for them.
  ///
  /// - Throws: ``EngineError``: `invalidArgument`; `io`; `limit` without descriptors or threads.
  static func open(
    _ inspected: Inspected, at path: String?
  ) throws(EngineError) -> Inspector {
    _ = Self.handler
    let path = if let path { path } else { try InspectorSocket.defaultPath() }
    return try self.all.withLock { (all) throws(EngineError) in
      let known = all[path]
      let inspector = if let known { known } else { try Inspector(at: path) }
      all[path] = inspector
      inspector.state.withLock { state in
        state.stores[inspected.number] = inspected
        state.events.append(.opened(inspected.json))
        state.wake.set(true)
      }
      guard known == nil else { return inspector }
      guard let thread = Thread.start({ inspector.run() }) else {
        all[path] = nil
        InspectorSocket.remove(path, inspector.inode)
        InspectorSocket.close(inspector.listener)
        throw EngineError(.limit, "the system cannot start a thread for the inspector")
      }
      inspector.state.withLock { $0.thread = thread }
      return inspector
    }
  }

  /// Hides a store from clients. Unless this is inside a callback, waits until it has answered a
  /// request and, if it was the last store, until the thread has ended.
  func close(_ number: Int) {
    guard self.generation.isCurrent else { return }
    self.state.withLock { state in
      guard state.stores.removeValue(forKey: number) != nil else { return }
      state.events.append(.closed(number))
      state.wake.set(true)
    }
    guard !CallScope.isInsideCallback else { return }
    let thread = self.state.withLock(after: self.hasServed) { state in
      if state.runner?.isCurrent == true { return true }
      return state.serving != number && (state.isEnded || !state.stores.isEmpty)
    } do: { state in
      state.isEnded ? state.thread.take() : nil
    }
    thread?.join()
  }
}

// MARK: The thread

extension Inspector {
  private func run() {
    var connections: [InspectorConnection] = []
    var accepts = true
    self.state.withLock { $0.runner = .current }
    while true {
      let events = self.state.withLock { state in
        state.wake.set(false)
        return exchange(&state.events, with: [])
      }
      for connection in connections {
        for event in events {
          switch event {
          case .opened(let description): connection.notify("opened", description)
          case .closed(let number): connection.close(number)
          }
        }
      }
      connections.removeAll { !$0.serve { try self.answer($0, for: $1) } }
      guard !self.end() else { return }
      self.wait(for: connections, accepts)
      accepts = true
      while accepts, let accepted = InspectorSocket.accept(self.listener) {
        switch accepted {
        case .connection(let descriptor):
          let connection = InspectorConnection(descriptor)
          if connections.count < Self.maxConnections { connections.append(connection) }
        case .refused: break
        case .noDescriptor: accepts = false
        }
      }
    }
  }

  /// Closes the socket if no store is left. No other one can come meanwhile.
  private func end() -> Bool {
    let isEnded = Self.all.withLock { all in
      self.state.withLock { state in
        guard state.stores.isEmpty, state.events.isEmpty else { return false }
        all[self.path] = nil
        InspectorSocket.remove(self.path, self.inode)
        InspectorSocket.close(self.listener)
        state.isEnded = true
        return true
      }
    }
    if isEnded { self.hasServed.broadcast() }
    return isEnded
  }

  /// - Parameter accepts: Whether to wait for clients, too. Without descriptors, they are asked for
  ///   again after a while.
  private func wait(for connections: [InspectorConnection], _ accepts: Bool) {
    let wake = self.state.withLock { $0.wake.descriptor }
    var polled = [wake, self.listener].prefix(accepts ? 2 : 1).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    polled += connections.map(\.polled)
    let timeout: Int32 = connections.contains(where: \.hasWork) ? 0 : accepts ? -1 : 100
    poll(&polled, nfds_t(polled.count), timeout)
  }

  /// The descriptions of the stores, in the order in which they were opened.
  private var stores: [Value] {
    self.state.withLock { $0.stores.sorted { $0.key < $1.key }.map(\.value.json) }
  }

  /// Calls `body` with a store, which is not closed meanwhile.
  private func withStore<Result>(
    _ number: Int64, _ body: (Inspected, any InspectedStore) throws -> Result
  ) throws -> Result {
    let inspected = self.state.withLock { state in
      let inspected = Int(exactly: number).flatMap { state.stores[$0] }
      state.serving = inspected?.number
      return inspected
    }
    defer {
      self.state.withLock { $0.serving = nil }
      self.hasServed.broadcast()
    }
    guard let inspected, let store = inspected.store else {
      throw InspectorFailure(
        code: -32001, message: "there is no store \(number), or it was closed; list the stores")
    }
    return try body(inspected, store)
  }
}

// MARK: Requests

extension Inspector {
  /// The version of the protocol.
  private static var version: Int64 { 1 }

  private func answer(
    _ request: InspectorRequest, for connection: InspectorConnection
  ) throws -> Value {
    if request.method == "stores" {
      _ = try request.checked([])
      return [
        "protocol": .integer(Self.version), "library": .string(engineVersion),
        "program": .string(InspectorSocket.program), "process": .integer(Int64(getpid())),
        "stores": .array(JSONArray(self.stores)),
      ]
    }
    guard let method = InspectorMethod(rawValue: request.method) else {
      throw InspectorFailure(
        code: -32601,
        message: "there is no method \(quoted(request.method))"
          + suggestion(request.method, ["stores"] + InspectorMethod.allNames))
    }
    let params = try request.checked(method.params)
    return try self.withStore(params["store"]?.integer ?? 0) { inspected, store in
      guard inspected.allowsControl || !method.isControl else {
        throw InspectorFailure(
          code: -32002,
          message: "the program does not let \(inspected.tracer.name) be changed; it needs the "
            + "option {\"inspect\":{\"control\":true}}")
      }
      do throws(EngineError) {
        return try method.answer(params, inspected, store, connection) { [weak self] in
          self?.state.withLock { $0.wake.set(true) }
        }
      } catch {
        throw InspectorFailure(error, inspected.tracer.redaction)
      }
    }
  }
}
