import ImmutableDataC
import StateEngine

#if animals
  import AnimalsData
#endif
#if counter
  import CounterData
#endif

@c @implementation
public func immutabledata_domains() -> DomainList {
  var domains: [any Domain.Type] = []
  #if animals
    domains.append(AnimalsDomain.self)
  #endif
  #if counter
    domains.append(CounterDomain.self)
  #endif
  return DomainList(domains)
}
