import Glibc
import Simulation

// Simulates programs with logs: simulate SEED [COUNT]
//
// A seed that fails is printed with its trace; one that is alone is, too. Ten thousand seeds must
// reach all situations.

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let first = arguments.first ?? 1
let count = arguments.count > 1 ? arguments[1] : 1
var situations: [Situation: Int] = [:]
var failed: [Int] = []
for seed in first..<first + count {
  let result = Simulation.check(seed, twice: count == 1 || seed % 100 == 0)
  for situation in result.situations { situations[situation, default: 0] += 1 }
  if count == 1 {
    print(result.trace.joined(separator: "\n"))
    print("hash", String(result.hash, radix: 16))
  }
  guard let failure = result.failure else { continue }
  failed.append(seed)
  if failed.count <= 3 {
    if count > 1 { print(result.trace.joined(separator: "\n")) }
    print("seed \(seed) fails: \(failure)")
  }
}
let missing = Situation.allCases.filter { situations[$0] == nil }
if count >= 10_000 {
  for situation in Situation.allCases {
    print(situations[situation] ?? 0, situation.rawValue, separator: "\t")
  }
}
print("\(count) seeds, \(failed.count) fail", failed.prefix(20))
exit(failed.isEmpty && (count < 10_000 || missing.isEmpty) ? 0 : 1)
