/// A coding key for undeclared keys: any member, the index of an element, or `super`.
struct AnyCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    self.intValue = nil
  }

  init?(intValue: Int) {
    self.init(index: intValue)
  }

  init(index: Int) {
    self.stringValue = index.description
    self.intValue = index
  }
}
