import ImmutableJSON

/// The description of an error, with the path for a `DecodingError`.
package func reason(_ error: any Error) -> String {
  guard let error = error as? DecodingError else { return "\(error)" }
  return "\(JSONPointer(error.path)): \(error.problem)"
}

extension DecodingError {
  /// The path to the value that cannot be decoded or is missing.
  var path: [String] {
    switch self {
    case .keyNotFound(let key, let context): (context.codingPath + [key]).map(\.stringValue)
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      context.codingPath.map(\.stringValue)
    @unknown default: []
    }
  }

  /// What is wrong with that value.
  var problem: String {
    switch self {
    case .keyNotFound(_, let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context), .dataCorrupted(let context):
      context.debugDescription
    @unknown default: "\(self)"
    }
  }
}
