@_exported import CDomainList
import StateEngine

/// The domains of a library, which `immutabledata_domains` returns.
///
/// ```swift
/// @c @implementation
/// public func immutabledata_domains() -> DomainList {
///   [LightDomain.self, CounterDomain.self]
/// }
/// ```
extension DomainList: @retroactive ExpressibleByArrayLiteral {
  public init(arrayLiteral domains: any Domain.Type...) {
    self.init(domains)
  }

  public init(_ domains: [any Domain.Type]) {
    self.init(__types: Unmanaged.passRetained(Types(domains)).toOpaque())
  }

  /// Returns the domains, and releases the list.
  consuming func take() -> [any Domain.Type] {
    Unmanaged<Types>.fromOpaque(self.__types).takeRetainedValue().types
  }

  private final class Types {
    let types: [any Domain.Type]

    init(_ types: [any Domain.Type]) {
      self.types = types
    }
  }
}
