import TestSupport

extension Plain {
  /// Few keys, so that they collide. `String ==` treats two of them as equal.
  private static let keys = ["", "a", "b", "0", "1", "-", "a/b", "m~n", "\u{E9}", "e\u{301}"]

  static func random(depth: Int, using generator: inout SeededGenerator) -> Plain {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 2), using: &generator) {
    case 0:
      return .null
    case 1:
      return .integer(.random(in: 0..<10, using: &generator))
    case 2, 3:
      let count = Int.random(in: 0...4, using: &generator)
      return .array((0..<count).map { _ in .random(depth: depth - 1, using: &generator) })
    default:
      let count = Int.random(in: 0...6, using: &generator)
      return .object(
        Dictionary(
          (0..<count).map { _ in
            (Array(Self.randomKey(&generator).utf8), .random(depth: depth - 1, using: &generator))
          }, uniquingKeysWith: { $1 }))
    }
  }

  private static func randomKey(_ generator: inout SeededGenerator) -> String {
    Self.keys.randomElement(using: &generator) ?? ""
  }

  /// The tokens of a pointer that mostly resolves.
  func randomTokens(using generator: inout SeededGenerator) -> [String] {
    let goesOn = Int.random(in: 0..<6, using: &generator) > 0
    guard goesOn else { return [] }
    let leaves = Int.random(in: 0..<8, using: &generator) == 0
    switch self {
    case .object(let members):
      // Sorted, because the order of a dictionary differs in each run.
      let keys = members.keys.sorted { $0.lexicographicallyPrecedes($1) }
      guard !leaves, let key = keys.randomElement(using: &generator), let member = members[key]
      else { return [Self.randomKey(&generator)] }
      return [String(decoding: key, as: UTF8.self)] + member.randomTokens(using: &generator)
    case .array(let elements):
      guard !leaves, let index = elements.indices.randomElement(using: &generator) else {
        return [["-", elements.count.description, "7"].randomElement(using: &generator) ?? "-"]
      }
      return [index.description] + elements[index].randomTokens(using: &generator)
    default:
      return leaves ? [Self.randomKey(&generator)] : []
    }
  }
}
