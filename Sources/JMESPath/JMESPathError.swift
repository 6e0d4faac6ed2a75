import ImmutableJSON

/// An expression cannot be compiled or evaluated.
public struct JMESPathError: Error, Hashable {
  public enum Code: Hashable, Sendable {
    /// The text is not an expression.
    case syntax

    /// There is no function with this name.
    case unknownFunction

    /// A function has too many or too few arguments.
    case invalidArity

    /// A function argument has a wrong type.
    case invalidType

    /// A value is invalid, such as a slice with a step of 0.
    case invalidValue

    /// A variable is neither an argument nor bound by a `let`.
    case undefinedVariable

    /// The expression nests too deeply, a number or literal in it or its result is too large, or it
    /// takes too much work.
    case limit
  }

  public let code: Code

  /// A message such as `there is no function "lenght"; did you mean "length"?`.
  public let message: String

  /// The position in the expression: the number of code points before it.
  public let position: Int

  /// The line and column of the position, counted from 1. The column is in code points.
  public let line: Int
  public let column: Int

  /// The byte offset of the position.
  public let offset: Int

  /// The line of the expression at the position, truncated if it is long, and a second line with a
  /// caret under the position.
  public let excerpt: String
}

extension JMESPathError: CustomStringConvertible {
  /// The message and the excerpt.
  public var description: String {
    "\(self.message)\n\(self.excerpt)"
  }
}

extension JMESPathError {
  /// Creates the public error from an internal one and the text of the expression.
  init(_ error: ExpressionError, in text: String) {
    let start = text.utf8.startIndex
    let index =
      text.utf8.index(start, offsetBy: error.offset, limitedBy: text.utf8.endIndex)
      ?? text.utf8.endIndex
    self.code = error.code
    self.message = error.message
    let before = text.unicodeScalars[..<index]
    self.position = before.count
    self.line = before.count { $0 == "\n" } + 1
    self.column = before.reversed().prefix { $0 != "\n" }.count + 1
    self.offset = text.utf8[..<index].count
    self.excerpt = text.unicodeScalars.excerpt(at: index)
  }
}

extension String.UnicodeScalarView {
  /// The line that contains `index`, and a line with a caret under it.
  fileprivate func excerpt(at index: Index) -> String {
    let limit = 48
    let before = self[..<index].reversed().prefix { $0 != "\n" }
    let after = self[index...].prefix { $0 != "\n" }
    let start = before.prefix(bytes: limit)
    let end = after.prefix(bytes: limit)
    let isTruncatedBefore = before.dropFirst(start.count).first != nil
    let isTruncatedAfter = after.dropFirst(end.count).first != nil

    var line = String.UnicodeScalarView(isTruncatedBefore ? ["…"] : [])
    line.append(contentsOf: start.reversed().map(\.printable))
    let caret = String(repeating: " ", count: line.count) + "^"
    line.append(contentsOf: end.map(\.printable))
    line.append(contentsOf: isTruncatedAfter ? ["…"] : [])
    return "  \(String(line))\n  \(caret)"
  }
}

extension Unicode.Scalar {
  /// This character, or a space if it is not printable, so that it takes one column.
  fileprivate var printable: Unicode.Scalar {
    self.isPrintable ? self : " "
  }
}

extension Sequence<Unicode.Scalar> {
  /// The first characters, which have at most `limit` bytes.
  fileprivate func prefix(bytes limit: Int) -> [Unicode.Scalar] {
    var count = 0
    return self.prefix { scalar in
      count += scalar.utf8.count
      return count <= limit
    }
  }
}
