import Glibc

/// The status that `body` returns in the child of a fork; -1 if a signal killed the child.
package func exitStatusOfChild(_ body: () -> Int32) -> Int32 {
  let child = fork()
  if child == 0 { _exit(body()) }
  var status: Int32 = -1
  guard child > 0, waitpid(child, &status, 0) == child else { return -1 }
  return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
}
