import ImmutableJSON

extension NumberRules {
  func check(_ number: Value) throws(SchemaError) {
    for (bound, limit) in self.bounds {
      let order = order(number, limit)
      let isWithin =
        switch bound {
        case .min: order >= 0
        case .max: order <= 0
        case .aboveMin: order > 0
        case .belowMax: order < 0
        }
      guard isWithin else {
        throw SchemaError("expected a number \(bound.phrase) \(limit.json), found \(number.json)")
      }
    }
    if let (divisor, text) = self.multiple, Decimal(number)?.isMultiple(of: divisor) != true {
      throw SchemaError("expected a multiple of \(text.json), found \(number.json)")
    }
  }
}

extension NumberRules.Bound {
  fileprivate var phrase: String {
    switch self {
    case .min: "of at least"
    case .max: "of at most"
    case .aboveMin: "greater than"
    case .belowMax: "less than"
    }
  }
}

/// The order of two numbers: negative, 0 or positive. Exact, also between integers and doubles.
private func order(_ left: Value, _ right: Value) -> Int {
  switch (left, right) {
  case (.integer(let left), .integer(let right)): left < right ? -1 : left > right ? 1 : 0
  case (.real(let left), .real(let right)):
    left.order < right.order ? -1 : left.order > right.order ? 1 : 0
  case (.integer(let left), .real(let right)): order(left, right)
  case (.real(let left), .integer(let right)): -order(right, left)
  default: 0
  }
}

private func order(_ left: Int64, _ right: Double) -> Int {
  let limit = Double(sign: .plus, exponent: 63, significand: 1)
  if right >= limit { return -1 }
  if right < -limit { return 1 }
  // In the range of integers, so that only the fraction is lost.
  guard let whole = Int64(equalTo: right.rounded(.down)) else {
    // A subnormal number, which some programs make equal to 0.
    return left != 0 ? (left < 0 ? -1 : 1) : (right.sign == .minus ? 1 : -1)
  }
  if left != whole { return left < whole ? -1 : 1 }
  return right.order == Double(whole).order ? 0 : -1
}
