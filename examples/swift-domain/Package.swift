// swift-tools-version: 6.3

import PackageDescription

// CMake sets the variable to the folder of an installed package or of a checkout.
let immutabledata = Context.environment["IMMUTABLEDATA_PACKAGE"] ?? "../.."

let package = Package(
  name: "lights",
  products: [.library(name: "lights", type: .dynamic, targets: ["Lights"])],
  dependencies: [.package(name: "immutabledata", path: immutabledata)],
  targets: [
    .target(
      name: "Lights",
      dependencies: [
        .product(name: "CounterData", package: "immutabledata"),
        .product(name: "ImmutableDataC", package: "immutabledata"),
        .product(name: "StateEngine", package: "immutabledata"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
