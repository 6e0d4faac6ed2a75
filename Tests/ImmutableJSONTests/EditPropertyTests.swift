import ImmutableJSON
import TestSupport
import Testing

/// Random edits of random documents have the same effect on a ``Value`` as on a ``Plain``, and do
/// not affect previous versions.
@Suite struct EditPropertyTests {
  @Test(arguments: seeds(12))
  func editsByPointer(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    var plain = Plain.random(depth: 5, using: &generator)
    var value = plain.value
    var versions = [(value, plain)]
    for _ in 0..<100 {
      let tokens = plain.randomTokens(using: &generator)
      let pointer = try JSONPointer(JSONPointer(tokens).description)
      #expect((try? value.get(pointer)) == plain.get(tokens[...])?.value)

      let element = Plain.random(depth: 3, using: &generator)
      let (edited, expected): (Value?, Plain?) =
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
          (try? value.setting(pointer, element.value), plain.editing(tokens[...], .set(element)))
        case 1:
          (
            try? value.inserting(pointer, element.value),
            plain.editing(tokens[...], .insert(element))
          )
        default: (try? value.removing(pointer), plain.editing(tokens[...], .remove))
        }
      #expect(edited == expected?.value, "\(pointer) in \(value)")
      guard let edited, let expected else { continue }
      (value, plain) = (edited, expected)
      versions.append((value, plain))
    }
    for (value, plain) in versions {
      #expect(value == plain.value)
    }
  }

  @Test(arguments: seeds(12))
  func mergePatches(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    var plain = Plain.random(depth: 5, using: &generator)
    var value = plain.value
    var versions = [(value, plain)]
    for _ in 0..<40 {
      let patch = Plain.random(depth: 4, using: &generator)
      let merged = try value.merging(patch: patch.value)
      plain = plain.merging(patch)
      #expect(merged == plain.value)
      if case .object = value, merged == value {
        #expect(isIdentical(merged, value))
      }
      value = merged
      versions.append((value, plain))
    }
    for (value, plain) in versions {
      #expect(value == plain.value)
    }
  }

  @Test(arguments: seeds(12))
  func patches(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    var plain = Plain.random(depth: 5, using: &generator)
    var value = plain.value
    for _ in 0..<20 {
      var expected = plain
      var operations: [Value] = []
      var fails = false
      for _ in 0..<Int.random(in: 0...6, using: &generator) where !fails {
        let (operation, result) = expected.randomOperation(using: &generator)
        operations.append(operation)
        fails = result == nil
        expected = result ?? expected
      }
      let before = value.json
      let patch = Value.array(JSONArray(operations))
      do {
        let patched = try value.applying(patch: patch)
        #expect(!fails, "\(patch) on \(value)")
        #expect(patched == expected.value, "\(patch) on \(value)")
        (value, plain) = (patched, expected)
      } catch {
        #expect(fails, "\(error): \(patch) on \(value)")
        #expect(error.operation == operations.count - 1)
        #expect(value.json == before)
      }
    }
  }
}

extension Plain {
  /// A random JSON Patch operation, and its result; `nil` if it must be rejected.
  fileprivate func randomOperation(using generator: inout SeededGenerator) -> (Value, Plain?) {
    let tokens = self.randomTokens(using: &generator)
    let from = self.randomTokens(using: &generator)
    let element = Plain.random(depth: 2, using: &generator)
    let path = Value.string(JSONPointer(tokens).description)
    let fromPath = Value.string(JSONPointer(from).description)
    let found = self.get(tokens[...])
    let source = self.get(from[...])
    switch Int.random(in: 0..<6, using: &generator) {
    case 0:
      return (
        ["op": "add", "path": path, "value": element.value],
        self.editing(tokens[...], .insert(element))
      )
    case 1:
      return (["op": "remove", "path": path], self.editing(tokens[...], .remove))
    case 2:
      return (
        ["op": "replace", "path": path, "value": element.value],
        found.flatMap { _ in self.editing(tokens[...], .set(element)) }
      )
    case 3:
      let (way, fromWay) = (tokens.map { Array($0.utf8) }, from.map { Array($0.utf8) })
      let isInside = way.count > fromWay.count && way.starts(with: fromWay)
      let removed = self.editing(from[...], .remove)
      return (
        ["op": "move", "from": fromPath, "path": path],
        source.flatMap { source in
          way == fromWay ? self : isInside ? nil : removed?.editing(tokens[...], .insert(source))
        }
      )
    case 4:
      return (
        ["op": "copy", "from": fromPath, "path": path],
        source.flatMap { self.editing(tokens[...], .insert($0)) }
      )
    default:
      return (
        ["op": "test", "path": path, "value": (found ?? element).value], found.map { _ in self }
      )
    }
  }
}
