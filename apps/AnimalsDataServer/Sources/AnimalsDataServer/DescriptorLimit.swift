import AnimalsServer
import ArgumentParser
import Glibc

/// Raises the limit of open files so that there is a descriptor for each connection.
///
/// Without a descriptor the server cannot accept a connection, not even to refuse it. So the limit
/// is checked before the server starts.
func raiseDescriptorLimit(for connections: Int) throws {
  // For the database and its log, event loops, the listening socket and the standard streams.
  let others = 100
  let needed = rlim_t(connections + ConnectionLimits.surplus + others)
  var limit = rlimit()
  guard getrlimit(descriptors, &limit) == 0, limit.rlim_cur < needed else { return }
  guard limit.rlim_max >= needed else {
    throw ValidationError(
      "'--max-connections' \(connections) needs \(needed) file descriptors, and the system allows "
        + "\(limit.rlim_max). Choose fewer connections, or raise the limit ('ulimit -Hn').")
  }
  limit.rlim_cur = needed
  setrlimit(descriptors, &limit)
}

private let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
