/// A set of code points: one character of a pattern, `.`, an escape such as `\d`, or a bracket
/// expression.
struct CharacterClass: Sendable {
  private var ranges: [ClosedRange<UInt32>]
  private var categories: [Part] = []
  private var isNegated = false

  /// The code points below 128 that are in the set, so that most text is matched without a search.
  private var ascii: (UInt64, UInt64) = (0, 0)

  /// Another class in this one: the general categories of `\p`, or a negated class.
  private enum Part {
    case categories(Set<Unicode.GeneralCategory>)
    indirect case complement(CharacterClass)
  }

  init(_ ranges: [ClosedRange<UInt32>] = []) {
    self.ranges = ranges
    self.updateASCII()
  }

  init(_ categories: Set<Unicode.GeneralCategory>) {
    self.ranges = []
    self.categories = [.categories(categories)]
    self.updateASCII()
  }
}

extension CharacterClass {
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<64: self.ascii.0 >> scalar.value & 1 == 1
    case ..<128: self.ascii.1 >> (scalar.value & 63) & 1 == 1
    default: self.find(scalar)
    }
  }

  private func find(_ scalar: Unicode.Scalar) -> Bool {
    let isFound =
      self.ranges.contains { $0.contains(scalar.value) }
      || self.categories.contains { part in
        switch part {
        case .categories(let categories): categories.contains(scalar.properties.generalCategory)
        case .complement(let other): !other.contains(scalar)
        }
      }
    return isFound != self.isNegated
  }

  private mutating func updateASCII() {
    self.ascii = (0, 0)
    for value in UInt32(0)..<128 {
      guard let scalar = Unicode.Scalar(value), self.find(scalar) else { continue }
      if value < 64 { self.ascii.0 |= 1 << value } else { self.ascii.1 |= 1 << (value & 63) }
    }
  }

  /// All code points that are not in this class.
  var negated: CharacterClass {
    var negated = self
    negated.isNegated.toggle()
    negated.updateASCII()
    return negated
  }

  /// The code points of all these classes.
  init(union classes: [CharacterClass]) {
    self.ranges = classes.filter { !$0.isNegated }.flatMap(\.ranges)
    self.categories =
      classes.filter { !$0.isNegated }.flatMap(\.categories)
      + classes.filter(\.isNegated).map { .complement($0.negated) }
    self.updateASCII()
  }
}

extension CharacterClass {
  /// The class of an escape such as `d` or `W`, as ECMAScript defines it.
  init?(escape letter: Unicode.Scalar) {
    switch letter {
    case "d": self.init([0x30...0x39])
    case "w": self.init([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    case "s":
      self.init([
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
        0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
      ])
    case "D": self = CharacterClass(escape: "d")?.negated ?? CharacterClass()
    case "W": self = CharacterClass(escape: "w")?.negated ?? CharacterClass()
    case "S": self = CharacterClass(escape: "s")?.negated ?? CharacterClass()
    default: return nil
    }
  }

  /// `.`: all but the ends of lines.
  static var any: CharacterClass {
    CharacterClass([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]).negated
  }
}
