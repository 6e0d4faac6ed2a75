import ImmutableJSON
import StateEngine

/// The domains that `imd_store_open` can open, or what is wrong with the list of the library.
let domains = Result { () throws(EngineError) in
  try DomainRegistry(immutabledata_domains().take())
}

/// Opens a store of a domain by name.
func openStore(ofDomain name: String, _ options: Value?) throws(EngineError) -> AnyStore {
  do {
    return try domains.get().open(name, options: options)
  } catch {
    throw error.explainingHiddenLibrary()
  }
}
