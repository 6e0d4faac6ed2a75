import CounterData
import ImmutableDataC

/// The domains of the library: the one of this package, and one of immutabledata.
@c @implementation
public func immutabledata_domains() -> DomainList {
  [LightDomain.self, CounterDomain.self]
}
