import Glibc
import Simulation

// Simulates programs with logs: simulate SEED [COUNT], or simulate faults
//
// A seed that fails is printed with its trace; one that is alone is, too. Ten thousand seeds must
// reach all situations, and find each fault that is planted.

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let first = arguments.first ?? 1
let count = arguments.count > 1 ? arguments[1] : 1

/// Prints in how many seeds each planted fault is found.
func findFaults<Fault>(_ faults: [Fault], _ run: (Int, Fault) -> Simulation.Result) -> Bool
where Fault: RawRepresentable<String> {
  var isComplete = true
  for fault in faults {
    let found = (1...10_000).first { run($0, fault).failure != nil }
    let failure = found.flatMap { run($0, fault).failure }
    print(found.map(String.init) ?? "not found", fault.rawValue, failure ?? "", separator: "\t")
    if found == nil { isComplete = false }
  }
  return isComplete
}

/// Runs seeds, and returns whether all succeed and reach what they must.
func simulate(
  _ name: String, _ situations: [Situation], _ run: (Int, Bool) -> Simulation.Result
) -> Bool {
  var reached: [Situation: Int] = [:]
  var failed: [Int] = []
  for seed in first..<first + count {
    let result = run(seed, count == 1 || seed % 100 == 0)
    for situation in result.situations { reached[situation, default: 0] += 1 }
    if count == 1 || result.failure != nil && failed.count < 3 {
      print(result.trace.joined(separator: "\n"))
      if count == 1 { print("hash", String(result.hash, radix: 16)) }
    }
    guard let failure = result.failure else { continue }
    failed.append(seed)
    if failed.count <= 3 { print("seed \(seed) fails: \(failure)") }
  }
  if count >= 10_000 {
    for situation in situations {
      print(reached[situation] ?? 0, situation.rawValue, separator: "\t")
    }
  }
  print("\(name): \(count) seeds, \(failed.count) fail", failed.prefix(20))
  return failed.isEmpty && (count < 10_000 || situations.allSatisfy { reached[$0] != nil })
}

if CommandLine.arguments.contains("faults") {
  let isFoundInFiles = findFaults(PlantedFault.allCases) {
    SharedSimulation($0, planted: $1).run()
  }
  let isFoundInServers = findFaults(PlantedServerFault.allCases) {
    DriverSimulation($0, planted: $1).run()
  }
  exit(isFoundInFiles && isFoundInServers ? 0 : 1)
}
let isOfOneWell = simulate("one writer", Situation.ofOneWriter) { seed, isTwice in
  Simulation.check(seed, twice: isTwice)
}
let isOfSeveralWell = simulate("several writers", Situation.ofSeveralWriters) { seed, isTwice in
  SharedSimulation.check(seed, twice: isTwice)
}
let isOfServersWell = simulate("a server", Situation.ofServers) { seed, isTwice in
  DriverSimulation.check(seed, twice: isTwice)
}
exit(isOfOneWell && isOfSeveralWell && isOfServersWell ? 0 : 1)
