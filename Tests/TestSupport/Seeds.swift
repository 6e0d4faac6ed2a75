import Glibc

/// The seeds of a test with random numbers: a few in each run, or as many as the environment
/// variable `IMD_TEST_EXAMPLES` says.
package func seeds(_ count: Int) -> ClosedRange<Int> {
  let examples = getenv("IMD_TEST_EXAMPLES").flatMap { Int(String(cString: $0)) }
  return 1...max(examples ?? count, 1)
}
