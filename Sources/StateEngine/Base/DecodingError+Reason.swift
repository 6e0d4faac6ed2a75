import ImmutableJSON

/// The description of an error; for a `DecodingError`, with the path of the value at fault.
///
/// - Parameters:
///   - subject: The name of the decoded value.
///   - steps: How many steps of the path lead to that value.
package func reason(_ error: any Error, in subject: String, after steps: Int = 0) -> String {
  guard let error = error as? DecodingError else { return "\(error)" }
  return error.reason(in: subject, after: steps)
}

extension DecodingError {
  private var context: Context? {
    switch self {
    case .keyNotFound(_, let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }

  /// The path to the value that cannot be decoded or is missing.
  var path: [String] {
    let path = self.context?.codingPath.map(\.stringValue) ?? []
    guard case .keyNotFound(let key, _) = self else { return path }
    return path + [key.stringValue]
  }

  func reason(in subject: String, after steps: Int) -> String {
    let path = Array(self.path.dropFirst(steps))
    if case .keyNotFound(let key, _) = self {
      let parent = JSONPointer(path.dropLast())
      return "\(subject)\(parent): the member \(quoted(key.stringValue)) is missing"
    }
    return "\(subject)\(JSONPointer(path)): \(self.context?.debugDescription ?? "\(self)")"
  }
}
