import Glibc

/// Whether to measure little, and only once, to show that it works.
let isQuick = getenv("BENCHMARK_QUICK") != nil

/// Seconds that `body` takes.
func seconds(_ body: () -> Void) -> Double {
  let time = ContinuousClock().measure(body)
  return Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
}

/// What is measured: a body, and how many operations it performs.
typealias Contestant = (operations: Int, body: () -> Void)

/// Measures in turns (A B A B …) how long each contestant takes for one of its operations: the
/// medians.
func measureInTurns(_ contestants: [Contestant]) -> [Double] {
  let rounds = isQuick ? 1 : 7
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

/// The same for bodies that perform as many operations each.
func measureInTurns(operations: Int, _ bodies: [() -> Void]) -> [Double] {
  measureInTurns(bodies.map { (operations, $0) })
}

/// Prints a point of a plot: the median of a job with a number of members.
func printPoint(_ job: String, _ name: String, _ size: Int, _ median: Double) {
  print(job, "Swift: \(name)", size, median, "s", separator: "\t")
  fflush(nil)
}

/// Prints a row, as `benchmarks/report` reads it. `unit` is `s` or `B`.
func printRow(
  _ job: String, _ ours: Double, _ peer: String, _ theirs: Double, _ unit: String, goal: String = ""
) {
  print(job, ours, peer, theirs, unit, goal, separator: "\t")
  fflush(nil)
}
