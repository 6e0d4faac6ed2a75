import ImmutableJSON

/// The domains whose stores can be opened by name.
public struct DomainRegistry: Sendable {
  private let domains: [StringKey: any Domain.Type]

  /// Creates a registry of domains. Opening the first store of a domain checks the domain.
  ///
  /// - Throws: ``EngineError`` (`invalidArgument`) if a domain has an empty name, or two domains
  ///   have the same name.
  public init(_ domains: [any Domain.Type]) throws(EngineError) {
    var registered: [StringKey: any Domain.Type] = [:]
    for domain in domains {
      guard !domain.name.isEmpty else {
        throw EngineError(
          .invalidArgument, "\(String(reflecting: domain)) has an empty name; name the domain")
      }
      if let other = registered.updateValue(domain, forKey: StringKey(domain.name)), other != domain
      {
        throw EngineError(
          .invalidArgument,
          "\(String(reflecting: other)) and \(String(reflecting: domain)) both have the name "
            + "\(quoted(domain.name)); rename or remove one of these domains")
      }
    }
    self.domains = registered
  }
}

extension DomainRegistry {
  /// The domains with their actions, selectors and options, in order of name.
  public var descriptions: Value {
    .array(
      JSONArray(self.domains.sorted { $0.key < $1.key }.map { $0.value.description }))
  }

  /// Opens a store of a domain by name.
  ///
  /// - Parameters:
  ///   - name: The name of the domain.
  ///   - options: An object of the shape that the domain describes.
  /// - Throws: ``EngineError``: `unknownDomain`; `invalidArgument` if the options do not have that
  ///   shape, or if the descriptions of the domain contradict its types or each other; what the
  ///   domain's `makeEffects` throws, such as `io` or `corrupt`; `limit` if the process has no
  ///   memory left for fork handlers.
  public func open(_ name: String, options: Value? = nil) throws(EngineError) -> AnyStore {
    try self.open(name, options: options, keepsOptions: false)
  }

  /// - Parameter keepsOptions: Whether a log keeps the options that it has.
  func open(
    _ name: String, options: Value?, keepsOptions: Bool
  ) throws(EngineError) -> AnyStore {
    guard let domain = self.domains[StringKey(name)] else {
      let known = self.domains.keys.map(\.text)
      throw EngineError(
        .unknownDomain,
        known.isEmpty
          ? "unknown domain \(quoted(name)): this library was built without domains"
          : "unknown domain \(quoted(name))\(suggestion(name, known))")
    }
    return try AnyStore(domain, options: options, keepsOptions: keepsOptions)
  }
}
