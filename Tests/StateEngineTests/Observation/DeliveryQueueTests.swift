import ImmutableJSON
import StateEngine
import TestSupport
import Testing

@Suite struct DeliveryQueueTests {
  private let store: AnyStore
  private let deliveries = DeliveryRecorder()

  init() throws {
    self.store = try makeMergeStore(["a": 0, "b": 0])
  }

  @Test func nothingIsDeliveredBeforeThePoll() throws {
    let other = DeliveryRecorder()
    try self.store.observe(expression: "a", [:], ["when": "queued"], to: self.deliveries)
    try self.store.observe(expression: "b", [:], ["when": "queued"], to: other)
    try self.store.merge(["a": 1])
    try self.store.merge(["a": 2, "b": 2])
    #expect(self.deliveries.texts == [])
    #expect(try self.store.poll() == 5)
    #expect(self.deliveries.texts == ["0", "1", "2"])
    #expect(other.texts == ["0", "2"])
    #expect(try self.store.poll() == 0)
  }

  @Test(arguments: [
    ("dropOldest", ["3", "4"], [3, 0]), ("coalesce", ["4"], [4]),
  ])
  func aFullQueueSkipsOutputsAndCountsThem(_ overflow: String, _ texts: [String], _ skipped: [Int])
    throws
  {
    let options: Value = [
      "when": "queued", "capacity": 2, "overflow": .string(overflow),
    ]
    try self.store.observe(expression: "a", [:], options, to: self.deliveries)
    for value in 1...4 {
      try self.store.merge(["a": .integer(Int64(value))])
    }
    _ = try self.store.poll()
    #expect(self.deliveries.texts == texts)
    #expect(self.deliveries.all.map(\.skipped) == skipped)
  }

  @Test func aCoalescedObservationQueuesOnlyTheLatestOutput() throws {
    let options: Value = ["when": "queued", "coalesce": true, "deliver": "patch"]
    try self.store.observe(expression: "@", [:], options, to: self.deliveries)
    _ = try self.store.poll()
    for value in 1...1_000 {
      try self.store.merge(["a": .integer(Int64(value))])
    }
    #expect(try self.store.poll() == 1)
    #expect(
      self.deliveries.texts.last == #"patch [{"op":"replace","path":"/a","value":1000}]"#)
    #expect(self.deliveries.all.last?.skipped == 999)
    try self.store.merge(["a": 1])
    try self.store.merge(["a": 1_000])
    #expect(try self.store.poll() == 0)
  }

  @Test func outputsQueuedDuringAPollWaitForTheNext() throws {
    let store = self.store
    try store.define("a", "a")
    var options = ObservationOptions()
    options.when = .queued
    try store.observe("a", [:], options) { [deliveries] delivery in
      deliveries.append(delivery)
      try? store.merge(["a": .integer(Int64(deliveries.all.count))])
      #expect((try? store.poll()) == 0)
    }
    #expect(try store.poll() == 1)
    #expect(try store.poll() == 1)
    #expect(self.deliveries.texts == ["0", "1"])
  }

  @Test func aCancelledObserverIsNotCalled() throws {
    let observation = try self.store.observe(
      expression: "a", [:], ["when": "queued"], to: self.deliveries)
    observation.cancel()
    #expect(try self.store.poll() == 0)
    #expect(self.deliveries.texts == [])
  }

  @Test func theDescriptorIsReadableWhileDeliveriesWait() throws {
    let descriptor = try self.store.descriptor
    #expect(!isReadable(descriptor))
    try self.store.observe(expression: "a", [:], ["when": "queued"], to: self.deliveries)
    #expect(isReadable(descriptor))
    _ = try self.store.poll()
    #expect(!isReadable(descriptor))
    try self.store.merge(["a": 1])
    #expect(isReadable(descriptor))
    self.store.close()
    #expect(!isReadable(descriptor))
  }
}
