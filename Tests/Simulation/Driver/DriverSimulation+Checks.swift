import ImmutableJSON
import StateEngine
import StateLog
import TestSupport

extension DriverSimulation {
  /// Lets all stores read what there is, and compares them with a new one and with the log.
  func finish() {
    guard let log = self.server.log(Self.address) else { return }
    let fresh: AnyStore
    do {
      // What is late arrives.
      for _ in 0..<20 { try self.makeStore().close() }
      fresh = try self.makeStore()
    } catch {
      return self.fail("a new store cannot be opened: \(error)")
    }
    defer { fresh.close() }
    for client in self.clients {
      guard let client, !client.hasStopped else { continue }
      do throws(EngineError) {
        // After a failure, the next attempt is a while later.
        self.system.pause(nanoseconds: 10_000_000_000)
        try client.store.refresh()
        try fresh.refresh()
        guard try client.store.state() == fresh.state() else {
          return self.fail("states differ: \(try client.store.state()), \(try fresh.state())")
        }
        guard try client.store.history() == fresh.history() else {
          return self.fail("histories differ")
        }
      } catch {
        self.note(error, of: client)
        if !client.hasStopped { self.fail("a store cannot be read: \(error)") }
      }
    }
    self.checkEntries(log)
    self.checkRules()
  }

  /// Each acknowledged action is in the log once, in the order of its store.
  private func checkEntries(_ log: SimulatedLogServer.Log) {
    var found: [String: Int] = [:]
    var counters: [LogOrigin: Int] = [:]
    for entry in log.archive {
      if let last = counters[entry.origin], entry.counter != last + 1 {
        return self.fail("the counter \(entry.counter) follows \(last)")
      }
      counters[entry.origin] = entry.counter
      let text = entry.text.withUnsafeBytes { try? Value(json: $0) }
      guard case .array(let actions)? = text?["actions"] else { continue }
      for action in actions { found[action["payload"]?.string ?? "", default: 0] += 1 }
    }
    for (id, count) in found where count > 1 { return self.fail("\(id) is there \(count) times") }
    if let id = self.refused.first(where: { found[$0] != nil }) {
      return self.fail("\(id) was refused, and is there")
    }
    guard !self.wasRestored else { return }
    if let id = self.acknowledged.first(where: { found[$0] == nil }) {
      self.fail("\(id) was acknowledged, and is lost")
    }
  }

  /// A rule gets the actions of its store, each once.
  private func checkRules() {
    for client in self.clients {
      guard let client else { continue }
      try? client.store.settle()
      let ids = client.seen.all.compactMap { $0["payload"]?.string }
      guard Set(ids).count == ids.count else { return self.fail("a rule got an action twice") }
      guard client.own.isSuperset(of: ids) else {
        return self.fail("a rule got an action of another store")
      }
      guard client.own.intersection(self.acknowledged).isSubset(of: ids) else {
        return self.fail("a rule did not get an action of its store")
      }
    }
  }
}
