extension OffsetRule {
  /// Parses a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`; `nil` if it has another form.
  ///
  /// Summer time without dates has those of the United States since 2007, as in glibc.
  init?(_ text: some StringProtocol) {
    var parser = OffsetRuleParser(text)
    guard let rule = parser.rule() else { return nil }
    self = rule
  }
}

private struct OffsetRuleParser {
  private var rest: ArraySlice<UInt8>

  init(_ text: some StringProtocol) {
    self.rest = Array(text.utf8)[...]
  }

  /// Parses `std offset [dst [offset] [,start[/time],end[/time]]]`.
  mutating func rule() -> OffsetRule? {
    guard self.skipName(), let west = self.seconds(hours: 24) else { return nil }
    // Offsets in rules are positive to the west of UTC.
    var rule = OffsetRule(standardOffset: -west)
    if self.rest.isEmpty { return rule }
    guard self.skipName() else { return nil }
    var daylightOffset = rule.standardOffset + 3_600
    if let next = self.rest.first, next != UInt8(ascii: ",") {
      guard let west = self.seconds(hours: 24) else { return nil }
      daylightOffset = -west
    }
    if self.rest.isEmpty { self.rest = Array(",M3.2.0,M11.1.0".utf8)[...] }
    guard let start = self.date(), let end = self.date(), self.rest.isEmpty else { return nil }
    rule.daylight = .init(offset: daylightOffset, start: start, end: end)
    return rule
  }

  /// Skips the abbreviation of a time: at least three letters, or letters, digits and signs in
  /// angle brackets.
  private mutating func skipName() -> Bool {
    let isBracketed = self.skip("<")
    let name = self.rest.prefix { $0.isLetter || isBracketed && $0.isDigitOrSign }
    self.rest = self.rest.dropFirst(name.count)
    return name.count >= 3 && (!isBracketed || self.skip(">"))
  }

  /// Parses `,date[/time]`.
  private mutating func date() -> OffsetRule.Date? {
    guard self.skip(","), let day = self.day() else { return nil }
    guard self.skip("/") else { return .init(day: day, time: 2 * 3_600) }
    return self.seconds(hours: 167).map { .init(day: day, time: $0) }
  }

  private mutating func day() -> OffsetRule.Day? {
    if self.skip("J") {
      return self.number(in: 1...365).map { .withoutLeapDay($0) }
    }
    guard self.skip("M") else {
      return self.number(in: 0...365).map { .withLeapDay($0) }
    }
    guard let month = self.number(in: 1...12), self.skip("."),
      let week = self.number(in: 1...5), self.skip("."), let weekday = self.number(in: 0...6)
    else { return nil }
    return .weekday(weekday, week: week, month: month)
  }

  /// Parses `[+|-]hh[:mm[:ss]]`.
  private mutating func seconds(hours limit: Int64) -> Int64? {
    let isNegative = self.skip("-")
    if !isNegative { _ = self.skip("+") }
    guard var seconds = self.number(in: 0...limit).map({ $0 * 3_600 }) else { return nil }
    for unit: Int64 in [60, 1] where self.skip(":") {
      guard let number = self.number(in: 0...59) else { return nil }
      seconds += number * unit
    }
    return isNegative ? -seconds : seconds
  }

  /// Parses a number of at most three digits.
  private mutating func number(in range: ClosedRange<Int64>) -> Int64? {
    let digits = self.rest.prefix { 0x30...0x39 ~= $0 }
    guard 1...3 ~= digits.count else { return nil }
    self.rest = self.rest.dropFirst(digits.count)
    let number = digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    return range.contains(number) ? number : nil
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard self.rest.first == UInt8(ascii: character) else { return false }
    self.rest = self.rest.dropFirst()
    return true
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool {
    0x61...0x7A ~= self | 0x20
  }

  fileprivate var isDigitOrSign: Bool {
    0x30...0x39 ~= self || self == UInt8(ascii: "+") || self == UInt8(ascii: "-")
  }
}
