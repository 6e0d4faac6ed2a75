import AnimalsData
import CounterData
import QuakesData
import StateEngine

/// The domains that `imd_store_open` can open. A library with its own domains registers them here.
public let domains = DomainRegistry([AnimalsDomain.self, CounterDomain.self, QuakesDomain.self])
