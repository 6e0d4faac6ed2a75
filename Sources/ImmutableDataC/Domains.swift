import AnimalsData
import CounterData
import StateEngine

/// The domains that `imd_store_open` knows. A library with domains of its own adds them here.
public let domains = DomainRegistry([AnimalsDomain.self, CounterDomain.self])
