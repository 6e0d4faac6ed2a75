import Glibc

/// The time that `body` takes, in seconds.
func seconds(_ body: () -> Void) -> Double {
  let time = ContinuousClock().measure(body)
  return Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
}

/// A function to be measured, and the number of operations that it performs.
typealias Contestant = (operations: Int, body: () -> Void)

/// Measures contestants alternately (A B A B …). Returns the median time of one operation of each.
func measureInTurns(_ contestants: [Contestant]) -> [Double] {
  let rounds = 7
  var times = [[Double]](repeating: [], count: contestants.count)
  for contestant in contestants {  // warms up
    contestant.body()
  }
  for _ in 0..<rounds {
    for (index, contestant) in contestants.enumerated() {
      times[index].append(seconds(contestant.body) / Double(contestant.operations))
    }
  }
  return times.map { $0.sorted()[rounds / 2] }
}

/// Measures functions that all perform the same number of operations.
func measureInTurns(operations: Int, _ bodies: [() -> Void]) -> [Double] {
  measureInTurns(bodies.map { (operations, $0) })
}

/// Prints a point of a plot: the median of a job with a number of members.
func printPoint(_ job: String, _ name: String, _ size: Int, _ median: Double) {
  print(job, "Swift: \(name)", size, median, "s", separator: "\t")
  fflush(nil)
}

/// Prints a row for `benchmarks/report`. `unit` is `s` or `B`.
func printRow(
  _ job: String, _ ours: Double, _ peer: String, _ theirs: Double, _ unit: String, goal: String = ""
) {
  print(job, ours, peer, theirs, unit, goal, separator: "\t")
  fflush(nil)
}
