// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "lights",
  products: [.library(name: "lights", type: .dynamic, targets: ["Lights"])],
  dependencies: [.package(name: "immutabledata", path: "../..")],
  targets: [
    .target(
      name: "Lights",
      dependencies: [
        .product(name: "ImmutableDataC", package: "immutabledata"),
        .product(name: "StateEngine", package: "immutabledata"),
      ])
  ]
)
