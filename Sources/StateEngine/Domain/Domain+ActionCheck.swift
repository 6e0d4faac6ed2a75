import ImmutableJSON
import Threading

/// The domains whose actions were checked and are consistent.
private let checkedDomains = Mutex<Set<ObjectIdentifier>>([])

extension Domain {
  /// Throws ``EngineError`` (`invalidArgument`) if the description of an action contradicts
  /// ``Action``.
  ///
  /// Decodes samples of each described action, and encodes them again. A sample proves nothing if
  /// the type rejects only its content, such as a string that must be a UUID, or if the schema of
  /// the payload requires a value of any kind; such an action is accepted.
  ///
  /// Decoding the samples takes milliseconds, so a domain is checked once.
  static func checkActions() throws(EngineError) {
    let domain = ObjectIdentifier(self)
    let isChecked = ForkLock.shared.excludingForks {
      checkedDomains.withLock { $0.contains(domain) }
    }
    if isChecked { return }
    try self.checkSamples()
    ForkLock.shared.excludingForks {
      checkedDomains.withLock { _ = $0.insert(domain) }
    }
  }

  private static func checkSamples() throws(EngineError) {
    for description in self.actions {
      let payloads = description.payload.map { Schema.object($0).samples } ?? [[:]]
      for payload in payloads {
        guard let problem = self.problem(of: description, with: payload) else { continue }
        throw EngineError(
          .invalidArgument,
          "the domain \(quoted(self.name)) describes the action \(quoted(description.type)), but "
            + "its Action \(problem); correct the description or the enum")
      }
    }
  }

  private static func problem(of description: ActionDescription, with payload: Value) -> String? {
    let action: Action
    do {
      action = try ActionDecoder<Action>.nested(description.type, payload).decode()
    } catch let error as DecodingError {
      return description.contradiction(error)
    } catch {
      return nil
    }
    guard let encoded = try? ActionEncoder.json(action),
      encoded["type"] == .string(description.type)
    else { return "encodes it as another action" }
    guard case .object(let members) = payload else { return nil }
    let lost = members.first { $0.value != .null && encoded["payload"]?[$0.key] == nil }
    return lost.map { "has no associated value \(quoted($0.key)) for it" }
  }
}

extension ActionDescription {
  /// A phrase for an error of decoding a sample; `nil` if it may be about the content of the sample
  /// rather than its shape, which the description determines.
  fileprivate func contradiction(_ error: DecodingError) -> String? {
    // A case and `_0` for each group, and the last case.
    let caseSteps = 2 * self.type.split(separator: "/", omittingEmptySubsequences: false).count - 1
    let path = error.path.dropFirst(caseSteps)
    if case .dataCorrupted = error {
      guard case .oneOf = Schema.object(self.payload ?? []).part(at: path) else { return nil }
    }
    return error.path.count < caseSteps
      ? "has no such case"
      : "does not decode it: payload\(JSONPointer(Array(path))): \(error.problem)"
  }
}
