import ImmutableJSON
import Threading

/// The domains whose stores can be opened by name.
///
/// The child of a fork uses the registry too. So forks wait while it is locked.
public final class DomainRegistry: Sendable {
  private let domains: Mutex<[String: any Domain.Type]>

  /// Creates a registry of domains, each of which is checked when its first store is opened.
  public init(_ domains: [any Domain.Type] = []) {
    self.domains = Mutex(Dictionary(domains.map { ($0.name, $0) }) { _, last in last })
  }
}

extension DomainRegistry {
  /// Adds a domain. It replaces one with the same name.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` if the description of an action contradicts the
  ///   type ``Domain/Action``.
  public func register(_ domain: any Domain.Type) throws(EngineError) {
    try domain.checkActions()
    let name = domain.name
    ForkLock.shared.excludingForks {
      self.domains.withLock { $0[name] = domain }
    }
  }

  /// The domains with their actions, selectors and options, in order of name.
  public var descriptions: Value {
    let domains = self.all
    return .array(
      JSONArray(domains.sorted { $0.key < $1.key }.map { $0.value.description }))
  }

  /// Opens a store of a domain by name.
  ///
  /// - Parameters:
  ///   - name: The name of the domain.
  ///   - options: An object of the shape that the domain describes.
  public func open(_ name: String, options: Value? = nil) throws(EngineError) -> AnyStore {
    let domains = self.all
    guard let domain = domains[name] else {
      throw EngineError(
        .unknownDomain, "unknown domain \(quoted(name))\(suggestion(name, Array(domains.keys)))")
    }
    return try AnyStore(domain, options: options)
  }

  private var all: [String: any Domain.Type] {
    ForkLock.shared.excludingForks {
      self.domains.withLock { $0 }
    }
  }
}
