// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "AnimalsDataServer",
  dependencies: [
    .package(name: "immutabledata", path: "../.."),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
  ],
  // The API of Hummingbird uses HTTPTypes, Logging, NIOCore and ServiceLifecycle, so they come with
  // it.
  targets: [
    .target(
      name: "AnimalsServer",
      dependencies: [
        .product(name: "AnimalsData", package: "immutabledata"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ImmutableJSON", package: "immutabledata"),
      ]),
    .executableTarget(
      name: "AnimalsDataServer",
      dependencies: [
        "AnimalsServer",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "AnimalsServerTests",
      dependencies: [
        "AnimalsServer",
        .product(name: "HummingbirdTesting", package: "hummingbird"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
