@_exported import CDomainList
import ImmutableJSON
import StateEngine
import Glibc

/// The domains that `imd_store_open` can open, or what is wrong with the list of the library.
let domains = Result { () throws(EngineError) in
  try DomainRegistry(immutabledata_domains().take())
}

/// Opens a store of a domain by name.
func openStore(ofDomain name: String, _ options: Value?) throws(EngineError) -> AnyStore {
  do {
    return try domains.get().open(name, options: options)
  } catch {
    guard error.code == .unknownDomain, hidesLibrary else { throw error }
    let problem = "another library with the functions of immutabledata.h is hidden by this one"
    throw EngineError(error.code, "\(error.message); \(problem): link only one of them")
  }
}

/// Whether the program is linked with another library that has the same functions. The loader finds
/// those of the first library.
private var hidesLibrary: Bool {
  // RTLD_NEXT: Swift does not import the cast in its definition.
  let next = UnsafeMutableRawPointer(bitPattern: -1)
  return dlsym(next, "imd_store_open") != nil
}

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
