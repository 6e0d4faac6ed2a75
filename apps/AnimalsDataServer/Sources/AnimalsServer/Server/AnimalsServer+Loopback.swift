import NIOCore

extension AnimalsServer {
  /// Whether only programs on this machine can reach a server that listens on an address.
  ///
  /// Names other than `localhost` are not resolved, because their addresses can change.
  package static func isLoopback(_ host: String) -> Bool {
    if host.lowercased() == "localhost" { return true }
    switch try? SocketAddress(ipAddress: host, port: 0) {
    case .v4(let address):
      return withUnsafeBytes(of: address.address.sin_addr) { $0.first == 127 }
    case .v6(let address):
      return withUnsafeBytes(of: address.address.sin6_addr) { bytes in
        bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
      }
    case .unixDomainSocket, nil: return false
    }
  }
}
