import AnimalsData
import AnimalsServer
import Hummingbird
import Synchronization
import Testing

/// The events that readers of changes receive. `Tests/ProgramTests` tests them over a connection.
@Suite struct ChangeTests {
  private func deletion(_ id: String) -> RemoteRequest {
    RemoteRequest(mutation: [.deleteAnimal(animalId: id)])
  }

  private func event(_ number: Int, _ animal: Animal) -> String {
    "id: \(number)\nevent: change\ndata: "
      + "{\"deleteAnimal\":{\"animal\":{\"animalId\":\"\(animal.id)\","
      + "\"categoryId\":\"\(animal.categoryId)\",\"diet\":\"\(animal.diet.rawValue)\","
      + "\"name\":\"\(animal.name)\"}}}\n\n"
  }

  private func reset(_ number: Int) -> String {
    "id: \(number)\nevent: reset\ndata: {}\n\n"
  }

  /// The text that a reader receives up to its end.
  private func text(_ reader: ChangeReader) async -> String {
    reader.end()
    var text = ""
    for await bytes in reader.events {
      text += String(buffer: bytes)
    }
    return text
  }

  @Test func changesFollowAReset() async throws {
    let store = try makeStore()
    let first = try await store.lastChange
    try await store.withReader(after: nil, onDisconnect: {}) { reader in
      _ = try await store.perform(self.deletion("Dog"))
      _ = try await store.perform(self.deletion("Cat"))
      #expect(
        await self.text(reader) == self.reset(first)
          + self.event(first + 1, SampleData.animals[0])
          + self.event(first + 2, SampleData.animals[1]))
    }
  }

  @Test func readersReceiveHeartbeats() async throws {
    let store = try makeStore()
    let last = try await store.lastChange
    try await store.withReader(after: last, onDisconnect: {}) { reader in
      let heartbeat = Task { try await Heartbeat(store: store, interval: .milliseconds(1)).run() }
      var text = ""
      for await bytes in reader.events {
        text = String(buffer: bytes)
        reader.end()
      }
      heartbeat.cancel()
      #expect(text == ": still here\n\n")
    }
  }

  @Test func withoutReadersNothingIsPolled() async throws {
    let database = try TemporaryDatabase()
    let store = try makeStore(path: database.path)
    #expect(await !store.isPolling)
    try await store.withReader(after: nil, onDisconnect: {}) { _ in
      try await store.withReader(after: nil, onDisconnect: {}) { _ in
        #expect(await store.isPolling)
      }
      #expect(await store.isPolling)
    }
    #expect(await !store.isPolling)
    await store.close()
  }

  @Test func changesOfAnotherStoreOfTheFileArriveWithoutARequest() async throws {
    let database = try TemporaryDatabase()
    let store = try makeStore(path: database.path)
    let other = try LocalStore(path: database.path)
    let first = try await store.lastChange
    try await store.withReader(after: first, onDisconnect: {}) { reader in
      var events = reader.events.makeAsyncIterator()
      for (number, animal) in zip(first..., SampleData.animals) {
        _ = try other.deleteAnimalMutation(animalId: animal.id)
        #expect(await events.next().map { String(buffer: $0) } == self.event(number + 1, animal))
      }
    }
    await store.close()
  }

  @Test func aDatabaseInMemoryIsNotPolled() async throws {
    let store = try makeStore()
    try await store.withReader(after: nil, onDisconnect: {}) { _ in
      #expect(await !store.isPolling)
    }
  }

  @Test func aReaderResumesAfterItsLastChange() async throws {
    let store = try makeStore()
    let first = try await store.lastChange
    for animal in SampleData.animals.prefix(2) {
      _ = try await store.perform(self.deletion(animal.id))
    }
    try await store.withReader(after: first + 1, onDisconnect: {}) { reader in
      _ = try await store.perform(self.deletion("Kangaroo"))
      #expect(
        await self.text(reader) == self.event(first + 2, SampleData.animals[1])
          + self.event(first + 3, SampleData.animals[2]))
    }
    try await store.withReader(after: first + 3, onDisconnect: {}) { reader in
      #expect(await self.text(reader).isEmpty)
    }
  }

  @Test(arguments: [-1, 1_000_000, Int.max, Int.min])
  func aReaderThatCannotResumeIsReset(number: Int) async throws {
    let store = try makeStore()
    try await store.withReader(after: number, onDisconnect: {}) { reader in
      let last = try await store.lastChange
      #expect(await self.text(reader) == self.reset(last))
    }
  }

  /// A database in memory is new with each server, and uses other numbers than the previous one.
  @Test func aReaderOfAnotherServerIsReset() async throws {
    let (old, new) = (try makeStore(), try makeStore())
    for store in [old, new] {
      _ = try await store.perform(RemoteRequest(mutation: [.deleteAnimal(animalId: "Dog")]))
    }
    try await new.withReader(after: old.lastChange, onDisconnect: {}) { reader in
      let last = try await new.lastChange
      #expect(await self.text(reader) == self.reset(last))
    }
  }

  @Test func aFailedRequestIsNotAChange() async throws {
    let store = try makeStore()
    let first = try await store.lastChange
    try await store.withReader(after: nil, onDisconnect: {}) { reader in
      await #expect(throws: (any Error).self) {
        try await store.perform(
          RemoteRequest(mutation: [.deleteAnimal(animalId: "Dog"), .deleteAnimal(animalId: "Dog")]))
      }
      #expect(await self.text(reader) == self.reset(first))
    }
  }

  @Test func onlyAReaderThatFallsBehindIsDisconnected() async throws {
    let store = try makeStore()
    let disconnected = Atomic(0)
    let name = String(repeating: "x", count: 300_000)
    let request = RemoteRequest(
      mutation: [.updateAnimal(animalId: "Dog", name: name, diet: .omnivorous, categoryId: "Bird")])
    try await store.withReader(after: nil, onDisconnect: {}) { quick in
      var events = quick.events.makeAsyncIterator()
      try await store.withReader(
        after: nil, onDisconnect: { disconnected.wrappingAdd(1, ordering: .relaxed) }
      ) { slow in
        for _ in 0..<8 {
          _ = try await store.perform(request)
          if let bytes = await events.next() {
            quick.sent(bytes)
          }
        }
        var received = 0
        for await bytes in slow.events {
          received += bytes.readableBytes
        }
        #expect(received > ChangeReader.limit)
        #expect(received < ChangeReader.limit + 2 * name.utf8.count)
      }
    }
    #expect(disconnected.load(ordering: .relaxed) == 1)
  }

  @Test func aReaderFarBehindIsReset() async throws {
    let store = try makeStore()
    let first = try await store.lastChange
    let name = String(repeating: "x", count: ChangeReader.limit)
    _ = try await store.perform(
      RemoteRequest(
        mutation: [
          .updateAnimal(animalId: "Dog", name: name, diet: .omnivorous, categoryId: "Bird")
        ]))
    try await store.withReader(after: first, onDisconnect: {}) { reader in
      #expect(await self.text(reader) == self.reset(first + 1))
    }
  }
}
