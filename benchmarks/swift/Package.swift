// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "benchmarks",
  dependencies: [
    .package(name: "immutabledata", path: "../.."),
    .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
  ],
  targets: [
    .systemLibrary(name: "CMalloc"),
    .executableTarget(
      name: "benchmark",
      dependencies: [
        "CMalloc",
        .product(name: "AnimalsData", package: "immutabledata"),
        .product(name: "FoodTruckData", package: "immutabledata"),
        .product(name: "ImmutableData", package: "immutabledata"),
        .product(name: "ImmutableJSON", package: "immutabledata"),
        .product(name: "StateEngine", package: "immutabledata"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
