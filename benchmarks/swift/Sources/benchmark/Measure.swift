import Glibc

/// Seconds that `body` takes.
func seconds(_ body: () -> Void) -> Double {
  let time = ContinuousClock().measure(body)
  return Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
}

/// Measures in turns (A B A B …) how long each body takes for one of its `operations`: the medians.
func measureInTurns(operations: Int, _ bodies: [() -> Void]) -> [Double] {
  let rounds = 7
  var times = [[Double]](repeating: [], count: bodies.count)
  for body in bodies {  // warms up
    body()
  }
  for _ in 0..<rounds {
    for (index, body) in bodies.enumerated() {
      times[index].append(seconds(body) / Double(operations))
    }
  }
  return times.map { $0.sorted()[rounds / 2] }
}

/// Prints a row, as `table.py` reads it. `unit` is `s` or `B`.
func printRow(
  _ job: String, _ ours: Double, _ peer: String, _ theirs: Double, _ unit: String, goal: String = ""
) {
  print(job, ours, peer, theirs, unit, goal, separator: "\t")
  fflush(nil)
}
