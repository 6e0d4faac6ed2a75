extension Node {
  /// The keys of the member that this node evaluates to, whatever the document is: those of `a.b`
  /// and `get(a, 'b')`. `nil` for other nodes.
  ///
  /// - Parameter keys: The values of the arguments; `nil` for those that are not strings.
  func staticPath(with keys: [String?]) -> [String]? {
    switch self {
    case .current: return []
    case .field(let field): return [field.key.text]
    case .chain(let steps):
      var path: [String] = []
      for step in steps {
        guard let part = step.staticPath(with: keys) else { return nil }
        path += part
      }
      return path
    case .call(let call) where call.function == .get:
      guard let object = call.arguments.first?.staticPath(with: keys),
        let key = call.arguments.last?.staticText(with: keys)
      else { return nil }
      return object + [key]
    default: return nil
    }
  }

  /// The string that this node evaluates to, if it is known without a document.
  func staticText(with keys: [String?]) -> String? {
    switch self {
    case .literal(.string(let text)): text
    case .argument(let index): keys[index]
    default: nil
    }
  }
}
