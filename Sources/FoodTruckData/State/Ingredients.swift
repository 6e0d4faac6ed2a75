/// The dough of a donut.
public enum Dough: String, Codable, Hashable, Sendable, CaseIterable {
  case blueberry, chocolate, sourCandy, strawberry, plain, powdered, lemonade

  /// The name that people read, in English.
  public var displayName: String {
    switch self {
    case .sourCandy, .plain, .lemonade: self.rawValue.asTitle
    case .blueberry, .chocolate, .strawberry, .powdered: "\(self.rawValue.asTitle) Dough"
    }
  }
}

/// The glaze of a donut.
public enum Glaze: String, Codable, Hashable, Sendable, CaseIterable {
  case blueberry, chocolate, sourCandy, spicy, strawberry, lemon, rainbow

  /// The name that people read, in English.
  public var displayName: String {
    switch self {
    case .blueberry, .spicy, .lemon: "\(self.rawValue.asTitle) Spread"
    case .chocolate, .sourCandy, .strawberry, .rainbow: "\(self.rawValue.asTitle) Glaze"
    }
  }
}

/// The topping of a donut.
public enum Topping: String, Codable, Hashable, Sendable, CaseIterable {
  case powderedSugar, sprinkles, starSprinkles
  case blueberryLattice, chocolateLattice, sourAppleLattice, spicySauceLattice, strawberryLattice
  case sugarLattice, lemonLattice
  case blueberryLines, chocolateLines, sourAppleLines, spicySauceLines, strawberryLines
  case sugarLines, lemonLines
  case blueberryDrizzle, chocolateDrizzle, sourAppleDrizzle, spicySauceDrizzle, strawberryDrizzle
  case sugarDrizzle, lemonDrizzle

  /// The name that people read, in English.
  public var displayName: String {
    self.rawValue.asTitle
  }
}

extension String {
  /// The words of a name such as `sourAppleLattice`: `Sour Apple Lattice`.
  fileprivate var asTitle: String {
    let spaced = self.map { $0.isUppercase ? " \($0)" : "\($0)" }.joined()
    return spaced.prefix(1).uppercased() + spaced.dropFirst()
  }
}
