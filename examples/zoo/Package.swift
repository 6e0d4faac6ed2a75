// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "zoo",
  // Without the name, this dependency has the name of the folder that contains the clone.
  dependencies: [
    .package(name: "immutabledata", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "zoo",
      dependencies: [
        .product(name: "AnimalsData", package: "immutabledata"),
        .product(name: "ImmutableData", package: "immutabledata"),
        .product(name: "ImmutableObservation", package: "immutabledata"),
        .product(name: "StateEngine", package: "immutabledata"),
      ])
  ]
)
