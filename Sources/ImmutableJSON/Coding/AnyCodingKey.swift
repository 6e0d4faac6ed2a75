/// A coding key for undeclared keys: any member, the index of an element, or `super`.
package enum AnyCodingKey: CodingKey {
  case member(String)
  case element(Int)

  package init(stringValue: String) {
    self = .member(stringValue)
  }

  package init?(intValue: Int) {
    self = .element(intValue)
  }

  package var stringValue: String {
    switch self {
    case .member(let key): key
    case .element(let index): index.description
    }
  }

  package var intValue: Int? {
    switch self {
    case .member: nil
    case .element(let index): index
    }
  }
}
