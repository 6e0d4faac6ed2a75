import Benchmark
import CAllocations

/// The size of the collections, and the number of samples.
struct Sampling: Sendable {
  /// The number of records, a power of 2 up to 65,536.
  var count: Int

  /// The maximum number of samples of each benchmark, and the maximum time for them.
  var samples: Int
  var duration: Duration
}

extension BenchmarkMetric {
  static let records = BenchmarkMetric.custom("Records")

  /// The number of operations in a sample.
  static let operations = BenchmarkMetric.custom("Operations")

  /// The blocks that a sample allocates, and their bytes.
  static let allocations = BenchmarkMetric.custom("Allocations")
  static let allocatedBytes = BenchmarkMetric.custom("Allocated bytes")

  /// The bytes that the collection takes before the operation.
  static let collectionBytes = BenchmarkMetric.custom("Collection bytes")
}

/// Adds the benchmark of an operation.
///
/// A sample is one call of `body` with the result of `input`. The result of `body` is freed after
/// the measurement.
func add<C: RecordCollection, Input, Result>(
  _ operation: String, _ name: String, of sampling: Sampling, operations: Int = 1,
  input: @escaping (_ measured: Measured<C>, _ sample: Int) -> Input,
  body: @escaping (_ collection: C, _ input: Input) -> Result
) {
  Benchmark(
    "\(operation): \(name)",
    configuration: .init(
      metrics: [
        .throughput, .wallClock, .peakMemoryResident, .records, .operations, .allocations,
        .allocatedBytes, .collectionBytes,
      ],
      warmupIterations: 2,
      maxDuration: sampling.duration,
      maxIterations: sampling.samples
    )
  ) { benchmark, measured in
    let input = input(measured, benchmark.currentIteration)
    benchmark.startMeasurement()
    let before = current_allocations()
    let result = body(measured.collection, input)
    let after = current_allocations()
    benchmark.stopMeasurement()
    blackHole(result)
    benchmark.measurement(.records, measured.collection.count)
    benchmark.measurement(.operations, operations)
    benchmark.measurement(.allocations, Int(after.blocks - before.blocks))
    benchmark.measurement(.allocatedBytes, Int(after.bytes - before.bytes))
    benchmark.measurement(.collectionBytes, measured.bytes)
  } setup: {
    Measured<C>(count: sampling.count)
  }
}
