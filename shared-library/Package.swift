// swift-tools-version: 6.3

// libimmutabledata.so: the C functions with the domains of this project. It is built like any
// other library of domains (docs/swift-domains.md).

import PackageDescription

let package = Package(
  name: "shared-library",
  products: [.library(name: "immutabledata", type: .dynamic, targets: ["BundledDomains"])],
  // Each trait has the name of a domain. CMakeLists.txt lists them too.
  traits: [
    .trait(name: "animals"),
    .trait(name: "counter"),
    .trait(name: "foodtruck"),
    .trait(name: "quakes"),
    .default(enabledTraits: ["animals", "counter", "foodtruck", "quakes"]),
  ],
  dependencies: [
    .package(name: "immutabledata", path: "..")
  ],
  targets: [
    .target(
      name: "BundledDomains",
      dependencies: [
        .product(name: "ImmutableDataC", package: "immutabledata"),
        .product(name: "StateEngine", package: "immutabledata"),
        .product(
          name: "AnimalsData", package: "immutabledata", condition: .when(traits: ["animals"])),
        .product(
          name: "CounterData", package: "immutabledata", condition: .when(traits: ["counter"])),
        .product(
          name: "FoodTruckData", package: "immutabledata", condition: .when(traits: ["foodtruck"])),
        .product(
          name: "QuakesData", package: "immutabledata", condition: .when(traits: ["quakes"])),
      ])
  ],
  swiftLanguageModes: [.v6]
)
