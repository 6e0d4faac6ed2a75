import TestSupport
import Testing

@testable import ImmutableJSON

extension Node {
  var values: [Value] {
    self.isLeaf ? (0..<self.count).map { self.value(at: $0) } : []
  }

  var children: [Node] {
    self.withChildren { $0.map(\.node) }
  }

  /// Records an issue for each violated invariant.
  fileprivate func checkInvariants(isRoot: Bool = true) -> Int {
    #expect(count <= Self.maxParts)
    #expect(count >= (isRoot ? 1 : Self.maxParts / 4))
    #expect(count == self.values.count + self.children.count)
    #expect(self.values.isEmpty || self.children.isEmpty)
    var size = SubtreeSize.none
    for part in self.values.map(\.size) + self.children.map(\.size) { size.add(part) }
    if self.isLeaf { size.replaceKeys(nil, by: self.keys) }
    #expect(self.size.values == size.values)
    #expect(self.size.text == size.text)
    #expect(self.size.depth >= size.depth)
    self.withChildren { children in
      #expect(children.allSatisfy { $0.keys == $0.node.addressOfKeys })
    }
    #expect(self.total == self.values.count + self.children.reduce(0) { $0 + $1.total })
    if let keys {
      #expect(keys.count == count)
      // The first bound is unused: the first child contains everything below the second bound.
      let first = self.isLeaf ? 0 : 1
      for slot in first..<max(count - 1, first) {
        #expect(keys.withKey(at: slot) { a in keys.withKey(at: slot + 1) { a.compare($0) < 0 } })
      }
      for slot in self.children.indices.dropFirst() {
        // A bound is above all keys before it, and not above those after it.
        keys.withKey(at: slot) { bound in
          #expect(self.children[slot - 1].lastKeyPrecedes(bound))
          #expect(self.children[slot].firstKeyIsNotBelow(bound))
        }
      }
    }
    let heights = Set(self.children.map { $0.checkInvariants(isRoot: false) })
    #expect(heights.count <= 1)
    return (heights.first ?? -1) + 1
  }

  private func lastKeyPrecedes(_ bound: KeyBytes) -> Bool {
    if let last = self.children.last { return last.lastKeyPrecedes(bound) }
    return self.keys?.withKey(at: self.values.count - 1) { $0.compare(bound) < 0 } == true
  }

  private func firstKeyIsNotBelow(_ bound: KeyBytes) -> Bool {
    if let first = self.children.first { return first.firstKeyIsNotBelow(bound) }
    return self.keys?.withKey(at: 0) { $0.compare(bound) >= 0 } == true
  }
}

private func key(_ number: Int) -> String {
  // Keys with common prefixes, many lengths, and all kinds of bytes.
  switch number % 4 {
  case 0: "k\(number)"
  case 1: "a long common beginning \(number)"
  case 2: String(repeating: "\0", count: number % 23)
  default: "é\(number % 7)/\(number)"
  }
}

@Suite struct ObjectTreeTests {
  /// Nodes are built with free slots, unless that would add a level.
  @Test(arguments: [
    (1, 1), (15, 1), (16, 1), (17, 2), (30, 2), (31, 3), (240, 16), (241, 16), (256, 16), (257, 18),
    (4_000, 250), (4_096, 256), (60_000, 4_000), (65_536, 4_096),
  ])
  func rangesLeaveRoom(_ count: Int, _ nodes: Int) {
    let ranges = Node.ranges(count)
    #expect(ranges.count == nodes)
    #expect(ranges.first?.lowerBound == 0)
    #expect(ranges.last?.upperBound == count)
    #expect(ranges.allSatisfy { $0.count <= Node.maxParts })
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
  }

  @Test(arguments: seeds(3))
  func randomEditsMatchADictionaryAndKeepOldVersions(_ seed: Int) {
    var generator = SeededGenerator(seed)
    var object = JSONObject()
    var oracle: [[UInt8]: Value] = [:]
    var versions: [(JSONObject, [[UInt8]: Value])] = []
    let range = [20, 200, 2_000][seed % 3]
    for step in 0..<4_000 {
      let name = key(Int.random(in: 0..<range, using: &generator))
      // Insertions prevail at first, removals at the end.
      if Int.random(in: 0..<4_000, using: &generator) > step {
        let value = Value.integer(Int64(step))
        object[name] = value
        oracle[Array(name.utf8)] = value
      } else {
        object[name] = nil
        oracle[Array(name.utf8)] = nil
      }
      if step.isMultiple(of: 97) {
        versions.append((object, oracle))
        _ = object.root?.checkInvariants()
      }
    }
    versions.append((object, oracle))
    for (object, oracle) in versions {
      #expect(object.count == oracle.count)
      let expected = oracle.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      #expect(object.map { Array($0.key.utf8) } == expected.map(\.key))
      #expect(object.map(\.value) == expected.map(\.value))
      #expect(Array(object.values) == expected.map(\.value))
      for (key, value) in oracle {
        #expect(object[String(decoding: key, as: UTF8.self)] == value)
      }
      #expect(JSONObject(object.shuffled().map { ($0.key, $0.value) }) == object)
    }
  }

  @Test(arguments: [0, 1, 2, 16, 17, 256, 257, 5_000])
  func parsingEqualsIncrementalBuilding(_ count: Int) throws {
    let members = (0..<count).map { ("key \($0)", Value.integer(Int64($0))) }
    let text = "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    let read = try Value(json: text)
    #expect(read == .object(JSONObject(members.reversed())))
    guard case .object(let object) = read else { return }
    _ = object.root?.checkInvariants()
    for (key, value) in members {
      #expect(object[key] == value)
    }
    #expect(object["no such key"] == nil)
  }

  @Test(arguments: [17, 300, 5_000])
  func keysMayComeInAnyOrder(_ count: Int) {
    let members = (0..<count).map { ("\($0 + 10_000)", Value.integer(Int64($0))) }
    for order in [members, members.reversed(), members.shuffled()] {
      let object = JSONObject(order)
      _ = object.root?.checkInvariants()
      #expect(object.map(\.key) == members.map(\.0))
      #expect(members.allSatisfy { object[$0.0] == $0.1 })
    }
  }

  @Test func iterationStartsAtAnyKey() {
    let object = JSONObject((0..<1_000).map { ("\($0 + 1_000)", .integer(Int64($0))) })
    for start in [0, 1, 15, 16, 500, 999] {
      let keys = object.members(from: "\(start + 1_000)").map(\.key)
      #expect(keys == (start..<1_000).map { "\($0 + 1_000)" })
    }
    #expect(object.members(from: "1500x").map(\.key).first == "1501")
    #expect(object.members(from: "2").map(\.key).isEmpty)
    #expect(object.members(from: "").map(\.key).count == 1_000)
    #expect(JSONObject().members(from: "a").map(\.key).isEmpty)
  }

  @Test func unchangedMembersKeepTheirIdentity() {
    let record: Value = ["a": 1]
    var object = JSONObject((0..<1_000).map { ("\($0)", record) })
    let before = object
    object["500"] = 7
    #expect(!object.isIdentical(to: before))
    #expect(object["499"]?.isIdentical(to: record) == true)
    #expect(before["500"] == record)
  }
}

@Suite struct ArrayTreeTests {
  @Test(arguments: seeds(2))
  func randomEditsMatchAnArrayAndKeepOldVersions(_ seed: Int) {
    var generator = SeededGenerator(seed)
    var array = JSONArray()
    var oracle: [Value] = []
    var versions: [(JSONArray, [Value])] = []
    for step in 0..<4_000 {
      let value = Value.integer(Int64(step))
      let isGrowing = Int.random(in: 0..<4_000, using: &generator) > step
      if isGrowing || oracle.isEmpty {
        let index = Int.random(in: 0...oracle.count, using: &generator)
        array.insert(value, at: index)
        oracle.insert(value, at: index)
      } else {
        let index = oracle.indices.randomElement(using: &generator) ?? 0
        if Bool.random(using: &generator) {
          array[index] = value
          oracle[index] = value
        } else {
          #expect(array.remove(at: index) == oracle.remove(at: index))
        }
      }
      if step.isMultiple(of: 97) {
        versions.append((array, oracle))
        _ = array.root?.checkInvariants()
      }
    }
    versions.append((array, oracle))
    for (array, oracle) in versions {
      #expect(array.count == oracle.count)
      #expect(Array(array) == oracle)
      #expect(array.indices.allSatisfy { array[$0] == oracle[$0] })
      #expect(array == JSONArray(oracle))
    }
  }

  @Test func appendingBuildsALongArray() {
    var array = JSONArray()
    for number in 0..<10_000 {
      array.append(.integer(Int64(number)))
    }
    _ = array.root?.checkInvariants()
    #expect(array[9_999] == 9_999)
    #expect(array == JSONArray((0..<10_000).map { .integer(Int64($0)) }))
  }

  /// Slices of slices, with changes at their ends in between.
  @Test(arguments: seeds(6))
  func slicesMatchThoseOfAnArray(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    for size in [0, 1, 5, 17, 260, 5_000, 40_000] {
      let elements = (0..<size).map { Value.integer(Int64($0)) }
      // Packed leaves, and leaves of values.
      let values = Value.array(JSONArray(elements))
      for array in [try Value(json: "\(values)"), values] {
        guard case .array(var array) = array else { continue }
        var oracle = elements
        for step in 0..<20 {
          let end = Int.random(in: 0...oracle.count, using: &generator)
          let longest = step.isMultiple(of: 2) ? end : min(end, 40)
          let start = end - Int.random(in: 0...longest, using: &generator)
          let slice = array.slice(start..<end)
          #expect(Array(slice) == Array(oracle[start..<end]))
          _ = slice.root?.checkInvariants()
          if oracle.count < 100 || end - start > oracle.count / 2 {
            (array, oracle) = (slice, Array(oracle[start..<end]))
            for number in 0..<Int.random(in: 0..<60, using: &generator) {
              array.insert(.integer(Int64(number)), at: number.isMultiple(of: 3) ? 0 : array.count)
              oracle.insert(
                .integer(Int64(number)), at: number.isMultiple(of: 3) ? 0 : oracle.count)
            }
            _ = array.root?.checkInvariants()
            #expect(Array(array) == oracle)
          }
        }
      }
    }
  }

  @Test func aSliceSharesItsNodes() {
    let array = JSONArray((0..<5_000).map { .integer(Int64($0)) })
    #expect(array.slice(0..<5_000).isIdentical(to: array))
    #expect(array.slice(7..<7).root == nil)
    func nodes(_ node: Node) -> Set<ObjectIdentifier> {
      node.children.reduce([ObjectIdentifier(node)]) { $0.union(nodes($1)) }
    }
    guard let all = array.root.map(nodes), let part = array.slice(3..<4_990).root.map(nodes) else {
      return
    }
    #expect(part.subtracting(all).count < 10)
    #expect(part.count > 300)
  }
}

@Suite struct SharingTests {
  @Test func equalityAndHashesAgree() throws {
    let texts = [
      "[]", "{}", "[1]", "[1.0]", #"{"a":"\u00e9"}"#, #"{"a":"e\u0301"}"#, "0.0", "-0.0", "null",
    ]
    for left in texts {
      for right in texts {
        let values = (try Value(json: left), try Value(json: right))
        #expect((values.0 == values.1) == (values.0.utf8JSON == values.1.utf8JSON))
        if values.0 == values.1 {
          #expect(values.0.hashValue == values.1.hashValue)
        }
      }
    }
  }

  @Test func allNodesAreFreed() {
    weak var old: Node?
    weak var new: Node?
    do {
      var object = JSONObject((0..<10_000).map { ("\($0)", .string("\($0)")) })
      old = object.root?.children.first
      let before = object
      object["5"] = nil
      new = object.root?.children.first
      #expect(old != nil)
      #expect(before.count == 10_000)
    }
    #expect(old == nil)
    #expect(new == nil)
  }
}
