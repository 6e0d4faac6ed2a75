/// An expression could not be compiled or evaluated.
public struct JMESPathError: Error, Hashable {
  public enum Code: Hashable, Sendable {
    /// The text is no expression.
    case syntax

    /// There is no function of this name.
    case unknownFunction

    /// A function was given too many arguments or too few.
    case invalidArity

    /// A function was given an argument that it does not take.
    case invalidType

    /// A number is none that can be used here, such as a slice's step of 0.
    case invalidValue

    /// A `$name` is neither an argument nor bound by a `let`.
    case undefinedVariable

    /// The expression is too deep, or what it makes too large.
    case limit
  }

  public let code: Code

  /// What was wrong, and what to do, such as `there is no function "lenght"`.
  public let message: String

  /// The place in the expression: the number of code points before it.
  public let position: Int

  /// The same as line and column, both from 1, the column in code points.
  public let line: Int
  public let column: Int

  /// The same as the number of bytes before it.
  public let offset: Int

  /// The line of the expression with the place, cut where it is long, and below it a line with a
  /// caret under the place.
  public let excerpt: String
}

extension JMESPathError: CustomStringConvertible {
  /// The message, the line of the expression, and a caret under the place.
  public var description: String {
    "\(self.message)\n\(self.excerpt)"
  }
}

extension JMESPathError {
  /// The error of a error in this expression.
  init(_ error: ExpressionError, in text: String) {
    let start = text.utf8.startIndex
    let place =
      text.utf8.index(start, offsetBy: error.offset, limitedBy: text.utf8.endIndex)
      ?? text.utf8.endIndex
    self.code = error.code
    self.message = error.message
    let before = text.unicodeScalars[..<place]
    self.position = before.count
    self.line = before.count { $0 == "\n" } + 1
    self.column = before.reversed().prefix { $0 != "\n" }.count + 1
    self.offset = text.utf8[..<place].count
    self.excerpt = text.unicodeScalars.excerpt(at: place)
  }
}

extension String.UnicodeScalarView {
  /// The line around the place, and one with a caret under it.
  fileprivate func excerpt(at place: Index) -> String {
    let limit = 48
    let before = self[..<place].reversed().prefix { $0 != "\n" }
    let after = self[place...].prefix { $0 != "\n" }
    let start = before.prefix(limit).reversed().map(\.printable)
    let end = after.prefix(limit).map(\.printable)
    let isCutBefore = before.dropFirst(limit).first != nil
    let isCutAfter = after.dropFirst(limit).first != nil

    var line = String.UnicodeScalarView(isCutBefore ? ["…"] : [])
    line.append(contentsOf: start)
    let caret = String(repeating: " ", count: line.count) + "^"
    line.append(contentsOf: end)
    line.append(contentsOf: isCutAfter ? ["…"] : [])
    return "  \(String(line))\n  \(caret)"
  }
}
