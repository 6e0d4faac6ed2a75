// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "collections",
  dependencies: [
    .package(name: "immutabledata", path: "../.."),
    .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
    // Without its traits, which replace the allocator and parts of the Swift runtime.
    .package(url: "https://github.com/ordo-one/benchmark.git", exact: "1.38.1", traits: []),
  ],
  targets: [
    .target(name: "CAllocations"),
    // The plugin requires this path.
    .executableTarget(
      name: "CollectionBenchmarks",
      dependencies: [
        "CAllocations",
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "ImmutableJSON", package: "immutabledata"),
        .product(name: "JMESPath", package: "immutabledata"),
      ],
      path: "Benchmarks/CollectionBenchmarks",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ],
  swiftLanguageModes: [.v6]
)
