import ImmutableJSON
import StateEngine
import StateLog
import TestSupport

extension DriverSimulation {
  /// What happens to a call.
  func fault(of call: SimulatedLogServer.Call) -> SimulatedLogServer.Fault {
    guard self.isFaulty, self.random.isOne(in: 6) else { return .none }
    switch Int.random(in: 0..<6, using: &self.random) {
    case 0, 1: return .isLost
    case 2, 3: return .answerIsLost
    case 4: return .isLate(by: Int.random(in: 1...12, using: &self.random))
    default: return self.random.isOne(in: 4) ? .isRefused : .none
    }
  }

  /// Lets another store do something between two calls of one.
  func interrupt() {
    guard self.isFaulty, self.failure == nil, self.random.isOne(in: 4) else { return }
    self.step()
  }

  /// A step of a store that is in no call.
  func step() {
    let idle = self.clients.indices.filter { !self.busy.contains($0) }
    guard let index = idle.randomElement(using: &self.random) else { return }
    guard let client = self.clients[index] else { return self.open(index) }
    self.busy.insert(index)
    defer { self.busy.remove(index) }
    let number = Int.random(in: 0..<16, using: &self.random)
    self.trace.add("store \(index): step \(number)", (index, number))
    switch number {
    case 0...6: self.dispatch(client, [self.makeID(client)])
    case 7, 8: self.dispatch(client, (0..<3).map { _ in self.makeID(client) })
    case 9, 10: self.attempt(client) { try client.store.refresh() }
    case 11: self.attempt(client) { try client.store.undo() }
    case 12: self.attempt(client) { try client.store.redo() }
    case 13:
      if client.store.workForLog() { self.situations.insert(.driverSnapshotPut) }
    case 14:
      client.store.close()
      self.clients[index] = nil
    default: self.changeServer()
    }
  }

  private func open(_ index: Int) {
    self.busy.insert(index)
    defer { self.busy.remove(index) }
    do {
      self.clients[index] = Client(try self.makeStore())
      try self.clients[index]?.listen()
    } catch {
      self.trace.add("store \(index): not opened: \(error)")
      if !self.isFaulty || error.code == .outdated { self.fail("cannot open: \(error)") }
    }
  }

  func makeStore() throws(EngineError) -> AnyStore {
    var system = LogSystem()
    (system.files, system.hasThreads, system.driver) = (self.system, false, self.server)
    let log: Value = ["path": .string(Self.address), "timeout": 2000]
    return try AnyStore(
      state: [], options: ["history": true, "log": log], logSystem: system,
      reducer: Self.reduce)
  }

  /// Appends the payload to the state, and refuses some actions in some states.
  @Sendable private static func reduce(_ state: Value, _ action: Value) throws -> Value {
    guard case .array(var ids) = state, let id = action["payload"]?.string else { return state }
    let isOdd = (id.utf8.last ?? 0) % 2 == 1
    guard ids.count % 5 != 4 || isOdd else { throw EngineError(.reducerFailed, "refused") }
    ids.append(.string(id))
    return .array(ids)
  }

  private func makeID(_ client: Client) -> String {
    self.lastID += 1
    let id = "id\(self.lastID)"
    client.own.insert(id)
    return id
  }

  private func dispatch(_ client: Client, _ ids: [String]) {
    // Now and then long enough for a snapshot.
    let padding = String(repeating: "x", count: self.random.isOne(in: 6) ? 30_000 : 0)
    let actions = ids.map { id -> Value in
      ["type": "added", "payload": .string(id), "meta": ["padding": .string(padding)]]
    }
    do throws(EngineError) {
      if let action = actions.first, actions.count == 1 {
        try client.store.dispatch(action)
      } else {
        try client.store.dispatch(batch: .array(JSONArray(actions)))
      }
      self.acknowledged.formUnion(ids)
      self.trace.add("  acknowledged \(ids)")
    } catch {
      self.trace.add("  \(ids): \(error.code): \(error)")
      switch error.code {
      case .timeout: self.situations.insert(.driverUnknown)
      case .diverged, .outdated: self.note(error, of: client)
      default:
        self.refused.formUnion(ids)
        if error.code == .reducerFailed { self.situations.insert(.driverReducerRefused) }
      }
    }
  }

  private func attempt(_ client: Client, _ body: () throws -> Void) {
    do {
      try body()
    } catch {
      let error = error as? EngineError ?? EngineError(.io, "\(error)")
      self.trace.add("  \(error.code): \(error)")
      self.note(error, of: client)
    }
  }

  /// A store stops only if the server is another one.
  func note(_ error: EngineError, of client: Client) {
    guard error.code == .diverged || error.code == .outdated || error.code == .corrupt else {
      return
    }
    client.hasStopped = true
    self.situations.insert(.driverDiverged)
    if !self.wasRestored || error.code != .diverged { self.fail("a store stops: \(error)") }
  }

  func fail(_ message: String) {
    self.trace.add("failure: \(message)")
    self.failure = self.failure ?? message
  }

  private func changeServer() {
    guard let log = self.server.log(Self.address) else { return }
    if self.random.isOne(in: 12) {
      let count = Int.random(in: 1...4, using: &self.random)
      guard log.entries.count > count, log.snapshot.place.number <= log.head.number - count else {
        return
      }
      log.restore(without: count)
      self.server.dropLate()
      self.wasRestored = true
      self.situations.insert(.driverRestored)
      self.trace.add("  the server is restored without \(count) entries")
    } else {
      log.trim(to: self.planted == .trimmedTooFar ? log.head.number : log.snapshot.place.number)
      if log.start.number > 0 { self.situations.insert(.driverTrimmed) }
    }
  }
}
