import StateEngine

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension EngineError {
  /// Adds an explanation to an unknown domain, if a program is linked with two libraries that have
  /// the same functions: the loader finds those of the first library only.
  func explainingHiddenLibrary() -> EngineError {
    guard
      self.code == .unknownDomain,
      let hidden = dlsym(next, "imd_store_open").flatMap({ fileName(of: $0) }),
      let own = fileName(of: #dsohandle)
    else { return self }
    return EngineError(
      .unknownDomain,
      "\(self.message); the functions of \(own) hide those of \(hidden), so link only one of them")
  }
}

/// `RTLD_NEXT`, which searches the libraries after this one. Swift does not import the cast in its
/// definition.
private var next: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: -1) }

/// The name, without its folder, of the file that contains an address.
private func fileName(of address: UnsafeRawPointer) -> String? {
  var info = Dl_info()
  guard dladdr(address, &info) != 0, let path = info.dli_fname else { return nil }
  return String(cString: path).split(separator: "/").last.map(String.init)
}
