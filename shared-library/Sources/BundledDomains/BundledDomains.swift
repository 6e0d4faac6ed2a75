import ImmutableDataC
import StateEngine

#if animals
  import AnimalsData
#endif
#if counter
  import CounterData
#endif
#if foodtruck
  import FoodTruckData
#endif
#if quakes
  import QuakesData
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
  #if foodtruck
    domains.append(FoodTruckDomain.self)
  #endif
  #if quakes
    domains.append(QuakesDomain.self)
  #endif
  return DomainList(domains)
}
