/// A coding key for undeclared keys: any member, the index of an element, or `super`.
enum AnyCodingKey: CodingKey {
  case member(String)
  case element(Int)

  init(stringValue: String) {
    self = .member(stringValue)
  }

  init?(intValue: Int) {
    self = .element(intValue)
  }

  var stringValue: String {
    switch self {
    case .member(let key): key
    case .element(let index): index.description
    }
  }

  var intValue: Int? {
    switch self {
    case .member: nil
    case .element(let index): index
    }
  }
}
