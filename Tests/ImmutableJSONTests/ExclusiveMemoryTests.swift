import Testing

@testable import ImmutableJSON

/// The estimate is compared with the blocks that malloc gave to all parts of both values.
@Suite struct ExclusiveMemoryTests {
  private static func records(_ count: Int) throws -> Value {
    let records = (0..<count).map { index in
      #""k\#(index)":{"done":false,"id":\#(index),"name":"The record \#(index)"}"#
    }
    let text = records.joined(separator: ",")
    return try Value(json: #"{"done":[],"records":{\#(text)},"todo":[[1],[2],["x"]]}"#)
  }

  private static let long = String(repeating: "a long text ", count: 50)

  /// A change that makes a new version.
  struct Change: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let apply: @Sendable (Value) throws -> Value
  }

  private static func set(_ pointer: String, _ part: Value) -> Change {
    Change(testDescription: "set \(pointer)") { try $0.setting(JSONPointer(pointer), part) }
  }

  private static let changes: [Change] = [
    set("/records/k7/id", 5), set("/records/k7/name", .string(long)), set("/new", [1, 2, 3]),
    set("/records/new", ["id": 1]), set("/todo/1", [5]), set("/records", [:]),
    Change(testDescription: "remove a record") { try $0.removing(JSONPointer("/records/k500")) },
    Change(testDescription: "remove many records") { value in
      try (100..<300).reduce(value) { try $0.removing(JSONPointer("/records/k\($1)")) }
    },
    Change(testDescription: "change many records") { value in
      try (100..<300).reduce(value) { try $0.setting(JSONPointer("/records/k\($1)/done"), true) }
    },
    Change(testDescription: "move between arrays") {
      try $0.applying(patch: [["op": "move", "from": "/todo/0", "path": "/done/-"]])
    },
    Change(testDescription: "insert and remove elements") {
      try $0.applying(
        patch: [
          ["op": "remove", "path": "/todo/0"], ["op": "add", "path": "/todo/1", "value": [7]],
        ])
    },
    Change(testDescription: "add a large array") { value in
      let elements = [String](repeating: #"{"a":[1,2,"x"]}"#, count: 1000)
      let list = try Value(json: "[\(elements.joined(separator: ","))]")
      return try value.setting(JSONPointer("/list"), list)
    },
    Change(testDescription: "replace everything") { _ in try Self.records(500) },
  ]

  @Test(arguments: Self.changes.map { (1_000, $0) } + Self.changes.prefix(1).map { (65_536, $0) })
  func isAboutWhatMallocGave(_ count: Int, _ change: Change) throws {
    let before = try Self.records(count)
    let after = try change.apply(before)
    for (value, other) in [(before, after), (after, before)] {
      let exact = Blocks(of: value).size(without: Blocks(of: other))
      let estimate = value.exclusiveBytes(comparedTo: other)
      #expect(estimate >= exact / 2 && estimate <= exact * 2, "\(estimate) for \(exact)")
    }
  }

  @Test func nothingIsExclusiveOfTheSameInstance() throws {
    let value = try Self.records(1000)
    #expect(value.exclusiveBytes(comparedTo: value) == 0)
    #expect(Value.string(Self.long).exclusiveBytes(comparedTo: .string(Self.long)) == 0)
    #expect((5 as Value).exclusiveBytes(comparedTo: value) == 0)
  }

  /// A part that occurs twice takes memory once, and a budget bounds the visits of a huge value.
  @Test func sharedPartsCountOnce() throws {
    var value = try Value(json: #"["a text of some length"]"#)
    for _ in 0..<20 { value = [value, value] }
    let blocks = Blocks(of: value)
    let exact = blocks.size(without: Blocks(of: .null))
    let estimate = value.exclusiveBytes(comparedTo: .null)
    // malloc gives 16 bytes more than it must where a rest would be too small for a block.
    #expect(estimate <= exact && estimate >= exact - 16 * blocks.count)
    #expect(value.exclusiveBytes(comparedTo: .null, maxNodes: 4) > exact)
  }

  @Test(arguments: [0, 1, 100, 1000])
  func aSmallBudgetExtrapolates(_ maxNodes: Int) throws {
    let value = try Self.records(10_000)
    let exact = Blocks(of: value).size(without: Blocks(of: .null))
    let estimate = value.exclusiveBytes(comparedTo: .null, maxNodes: maxNodes)
    #expect(estimate >= exact / 3 && estimate <= exact * 3, "\(estimate) for \(exact)")
  }
}

/// The blocks of memory of a value, with their sizes.
private struct Blocks {
  private var sizes: [UnsafeRawPointer: Int] = [:]

  init(of value: Value) {
    var nodes: [Node] = []
    self.add(value, &nodes)
    while let node = nodes.popLast() {
      guard self.add(node) else { continue }
      if let keys = node.keys { _ = self.add(keys) }
      nodes += node.children
      for value in node.values { self.add(value, &nodes) }
    }
  }

  private mutating func add(_ value: Value, _ nodes: inout [Node]) {
    switch value {
    case .array(let array): nodes += array.root.map { [$0] } ?? []
    case .object(let object): nodes += object.root.map { [$0] } ?? []
    case .string(var string) where string.utf8.count > 15:
      // The bytes follow a header of 32.
      let bytes = string.withUTF8 { $0.baseAddress.map { UnsafeRawPointer($0) } }
      if let bytes { _ = self.add(bytes - 32) }
    default: break
    }
  }

  private mutating func add(_ object: AnyObject) -> Bool {
    self.add(UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
  }

  /// - Returns: Whether the block is new.
  private mutating func add(_ block: UnsafeRawPointer) -> Bool {
    let size = usableSize(block) + 8
    return self.sizes.updateValue(size, forKey: block) == nil
  }

  var count: Int { self.sizes.count }

  /// The size of the blocks that another value does not have.
  func size(without other: Blocks) -> Int {
    self.sizes.reduce(0) { $0 + (other.sizes[$1.key] == nil ? $1.value : 0) }
  }
}

/// The size that malloc gave to a block.
@_silgen_name("malloc_usable_size")
private func usableSize(_ block: UnsafeRawPointer) -> Int
