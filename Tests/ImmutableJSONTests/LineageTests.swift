import TestSupport
import Testing
import Threading

@testable import ImmutableJSON

/// The state of a test: records with text on the heap, in a tree of several levels.
private struct Model: Sendable {
  var texts: [Int]

  init(count: Int) {
    self.texts = Array(repeating: 0, count: count)
  }

  static func record(_ number: Int) -> Value {
    ["text": .string("the text of version number \(number)"), "more": [.integer(Int64(number))]]
  }

  var value: Value {
    .object(
      JSONObject(
        self.texts.enumerated().lazy.filter { $0.element >= 0 }
          .map { ("record \($0.offset)", Self.record($0.element)) }))
  }

  /// Changes a record randomly, in the model and in a value of it.
  mutating func change(
    _ value: Value, _ step: Int, _ generator: inout SeededGenerator
  ) throws -> Value {
    let index = Int.random(in: 0..<self.texts.count, using: &generator)
    let key = "record \(index)"
    let isPresent = self.texts[index] >= 0
    switch Int.random(in: 0..<8, using: &generator) {
    case 0 where isPresent:
      self.texts[index] = -1
      return try value.removing(JSONPointer("/\(key)"))
    case 1:
      // In place, if the value is referenced nowhere else.
      self.texts[index] = step
      guard case .object(var object) = value else { return value }
      object[key] = Self.record(step)
      object[key] = Self.record(step)
      return .object(object)
    case 2...4 where isPresent:
      // Two fields, as a reducer sets them.
      self.texts[index] = step
      return try value.setting(
        JSONPointer("/\(key)/text"), .string("the text of version number \(step)")
      ).setting(JSONPointer("/\(key)/more/0"), .integer(Int64(step)))
    default:
      self.texts[index] = step
      return try value.setting(JSONPointer("/\(key)"), Self.record(step))
    }
  }
}

/// The state of a test: a list of records, which move when others are inserted and removed.
private struct ListModel {
  var texts: [Int]

  var value: Value {
    .array(JSONArray(self.texts.map(Model.record)))
  }

  /// Inserts, removes or replaces an element randomly, in the model and in a value of it.
  mutating func change(
    _ value: Value, _ step: Int, _ generator: inout SeededGenerator
  ) throws -> Value {
    // Often at an end, as in a queue or a stack.
    let count = self.texts.count
    let index = [0, count, Int.random(in: 0...count, using: &generator)][
      Int.random(in: 0..<3, using: &generator)]
    let pointer = try JSONPointer("/\(index)")
    switch Int.random(in: 0..<5, using: &generator) {
    case 0...1 where index < count && count > 3:
      self.texts.remove(at: index)
      return try value.removing(pointer)
    case 2 where index < count:
      self.texts[index] = step
      return try value.setting(pointer, Model.record(step))
    default:
      self.texts.insert(step, at: index)
      return try value.inserting(pointer, Model.record(step))
    }
  }
}

private struct WeakNode {
  weak var node: Node?
}

extension Value {
  /// The root of an object or array.
  fileprivate var root: Node? {
    switch self {
    case .object(let object): object.root
    case .array(let array): array.root
    default: nil
    }
  }
}

extension Node {
  /// This node, and all below it in this tree.
  fileprivate var tree: [Node] {
    [self] + self.children.flatMap(\.tree)
      + self.values.flatMap { $0.root?.tree ?? [] }
  }
}

@Suite struct LineageTests {
  /// Versions that are derived from each other and dropped in any order keep their values, and all
  /// memory is freed with the last of them.
  @Test(arguments: seeds(4))
  func versionsMayBeDroppedInAnyOrder(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    var nodes: [WeakNode] = []
    do {
      let model = Model(count: [3, 40, 500][seed % 3])
      var versions = [(value: model.value, model: model)]
      for step in 1...600 {
        let index =
          Bool.random(using: &generator)
          ? versions.count - 1 : Int.random(in: 0..<versions.count, using: &generator)
        var (value, model) = versions[index]
        value = try model.change(value, step, &generator)
        versions.append((value, model))
        while versions.count > [1, 2, 8, 50][seed % 4] {
          versions.remove(at: Int.random(in: 0..<(versions.count - 1), using: &generator))
        }
        if step.isMultiple(of: 300), case .object(let object) = value {
          nodes += (object.root?.tree ?? []).map { WeakNode(node: $0) }
        }
      }
      for (value, model) in versions {
        #expect(value == model.value)
      }
    }
    #expect(!nodes.isEmpty)
    #expect(nodes.allSatisfy { $0.node == nil })
  }

  @Test(arguments: seeds(10))
  func versionsOfAListMayBeDroppedInAnyOrder(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    var nodes: [WeakNode] = []
    do {
      let model = ListModel(texts: Array(0..<[5, 14, 16, 100][seed % 4]))
      var versions = [(value: model.value, model: model)]
      for step in 1...300 {
        let index =
          Int.random(in: 0..<4, using: &generator) > 0
          ? versions.count - 1 : Int.random(in: 0..<versions.count, using: &generator)
        var (value, model) = versions[index]
        value = try model.change(value, step, &generator)
        versions.append((value, model))
        while versions.count > [1, 2, 4, 8, 30][seed % 5] {
          versions.remove(at: Int.random(in: 0..<(versions.count - 1), using: &generator))
        }
        if step.isMultiple(of: 100), case .array(let array) = value {
          nodes += (array.root?.tree ?? []).map { WeakNode(node: $0) }
        }
      }
      for (value, model) in versions {
        #expect(value == model.value)
      }
    }
    #expect(!nodes.isEmpty)
    #expect(nodes.allSatisfy { $0.node == nil })
  }

  @Test func replacedPartIsFreedWithItsLastVersion() throws {
    let pointer = try JSONPointer("/record 7")
    var values = [Model(count: 100).value]
    var parts: [WeakNode] = []
    for step in 1...4 {
      parts.append(WeakNode(node: try values[step - 1].get(pointer).root))
      values.append(try values[step - 1].setting(pointer, Model.record(step)))
    }
    #expect(parts.allSatisfy { $0.node != nil })
    for dropped in [2, 0, 3, 1] {
      values[dropped] = .null
      #expect(parts[dropped].node == nil)
    }
    #expect(try values[4].get(pointer) == Model.record(4))
  }

  /// A part that was removed is freed with the last version that contains it, also if other parts
  /// have moved since.
  @Test func removedPartIsFreedWithItsLastVersion() throws {
    var values = [Value.array(JSONArray((0..<8).map(Model.record)))]
    let part = try WeakNode(node: values[0].get(JSONPointer("/4")).root)
    values.append(try values[0].inserting(JSONPointer("/2"), Model.record(9)))
    values.append(try values[1].removing(JSONPointer("/0")))
    values.append(try values[2].removing(JSONPointer("/4")))
    values.append(try values[3].inserting(JSONPointer("/0"), Model.record(10)))
    let texts = values.map(\.json)
    for dropped in [1, 3, 0] {
      #expect(values[dropped].json == texts[dropped])
      values[dropped] = .null
    }
    #expect(values[2].json == texts[2])
    values[2] = .null
    #expect(values[4].json == texts[4])
    #expect(part.node == nil)
  }

  @Test func newPartIsFreedWithItsVersion() throws {
    let pointer = try JSONPointer("/record 7")
    let value = Model(count: 100).value
    weak var part: Node?
    do {
      let record = Model.record(1)
      if case .object(let object) = record { part = object.root }
      _ = try value.setting(pointer, record)
    }
    #expect(part == nil)
    #expect(value == Model(count: 100).value)
  }

  @Test func threadsDeriveAndDropVersionsOfTheSameValue() {
    let model = Model(count: 300)
    let value = model.value
    let shared = Mutex((value: value, model: model))
    onThreads(4) { thread in
      var generator = SeededGenerator(thread)
      var versions = [(value: value, model: model)]
      for step in 1...500 {
        let index = Int.random(in: 0..<versions.count, using: &generator)
        var (value, model) = versions[index]
        guard let next = try? model.change(value, step, &generator) else { continue }
        value = next
        versions.append((value, model))
        if versions.count > 6 {
          versions.remove(at: Int.random(in: 0..<versions.count, using: &generator))
        }
        // Versions move between threads, which drop them.
        let taken = versions.removeLast()
        versions.append(
          shared.withLock { shared in
            defer { shared = taken }
            return shared
          })
      }
      for (value, model) in versions {
        #expect(value == model.value)
      }
    }
    #expect(value == model.value)
  }
}
