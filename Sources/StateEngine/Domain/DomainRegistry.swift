import ImmutableJSON
import Threading

/// The domains whose stores can be opened by name.
///
/// The child of a fork uses the registry too. So forks wait while it is locked.
public final class DomainRegistry: Sendable {
  private let domains: Mutex<[String: any Domain.Type]>

  /// Creates a registry of domains, each of which is checked when its first store is opened. If two
  /// have the same name, the last is used.
  public init(_ domains: [any Domain.Type] = []) {
    self.domains = Mutex(Dictionary(domains.map { ($0.name, $0) }) { _, last in last })
  }
}

extension DomainRegistry {
  /// Adds a domain. Does nothing if it was added before.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` if another domain has its name, or if its
  ///   descriptions contradict its types or each other.
  public func register(_ domain: any Domain.Type) throws(EngineError) {
    try domain.check()
    let name = domain.name
    let registered = ForkLock.shared.excludingForks {
      self.domains.withLock { domains in
        domains[name] = domains[name] ?? domain
        return domains[name]
      }
    }
    guard registered == domain else {
      throw EngineError(
        .invalidArgument, "there is another domain \(quoted(name)) already; choose another name")
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
