// swift-tools-version: 6.3

import Foundation
import PackageDescription

let package = Package(
  name: "immutabledata",
  products: [
    .library(name: "ImmutableData", targets: ["ImmutableData"]),
    .library(name: "ImmutableObservation", targets: ["ImmutableObservation"]),
    .library(name: "ImmutableJSON", targets: ["ImmutableJSON"]),
    .library(name: "JMESPath", targets: ["JMESPath"]),
    .library(name: "StateEngine", targets: ["StateEngine"]),
    .library(name: "ProductSupport", targets: ["ProductSupport"]),
    .library(name: "CounterData", targets: ["CounterData"]),
    .library(name: "AnimalsData", targets: ["AnimalsData"]),
    .library(name: "QuakesData", targets: ["QuakesData"]),
    .library(name: "FoodTruckData", targets: ["FoodTruckData"]),
    .library(name: "ImmutableDataC", targets: ["ImmutableDataC"]),
    .library(name: "ImmutableDataTesting", targets: ["ImmutableDataTesting"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0")
  ],
  targets: [
    .systemLibrary(name: "CDomainList"),
    .systemLibrary(name: "CImmutableData"),
    .systemLibrary(
      name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CPrefetch"),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

    .target(name: "CThreadRecord"),
    .target(
      name: "Threading",
      dependencies: [
        "CLinux", "CThreadRecord", .product(name: "HeapModule", package: "swift-collections"),
      ]),
    .target(
      name: "ImmutableData",
      dependencies: [
        "Threading", .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]),
    .target(name: "ImmutableObservation", dependencies: ["ImmutableData", "Threading"]),
    .target(name: "CScan"),
    .target(name: "CBoundFunctions"),
    .target(name: "CJanssonFunctions", dependencies: ["CBoundFunctions", "CJansson"]),
    .target(name: "CSQLiteFunctions", dependencies: ["CBoundFunctions", "CSQLite"]),
    .target(name: "CSpinLock"),
    .target(name: "CJSONThreadRecord"),
    .target(
      name: "ImmutableJSON",
      dependencies: [
        "CJSONThreadRecord", "CJanssonFunctions", "CPrefetch", "CScan", "CSpinLock",
      ]),
    .target(name: "JMESPath", dependencies: ["ImmutableJSON"]),
    .target(name: "JSONSchema", dependencies: ["ImmutableJSON"]),
    .target(
      name: "SQLiteStorage", dependencies: ["CSQLiteFunctions", "Threading"]),
    .target(name: "StateLog", dependencies: ["CLinux", "CScan", "ImmutableJSON", "Threading"]),
    .target(
      name: "StateEngine",
      dependencies: [
        "CLinux", "ImmutableData", "ImmutableJSON", "JMESPath", "JSONSchema", "StateLog",
        "Threading", .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]),
    .target(
      name: "ProductSupport",
      dependencies: [
        "CThreadRecord", "ImmutableJSON", "SQLiteStorage", "StateEngine",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]),
    .target(name: "CounterData", dependencies: ["StateEngine"]),
    .target(
      name: "AnimalsData",
      dependencies: [
        "ImmutableJSON", "ProductSupport", "SQLiteStorage", "StateEngine", "Threading",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]),
    .target(
      name: "QuakesData",
      dependencies: [
        "ImmutableJSON", "ProductSupport", "SQLiteStorage", "StateEngine", "Threading",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]),
    .target(
      name: "FoodTruckData",
      dependencies: [
        "ImmutableData", "ImmutableJSON", "ProductSupport", "StateEngine", "Threading",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]),
    .target(
      name: "ImmutableDataC",
      dependencies: [
        "CDomainList", "CImmutableData", "CJansson", "CJanssonFunctions", "CSpinLock",
        "ImmutableData", "ImmutableJSON", "StateEngine", "StateLog", "Threading",
      ]),
    .target(
      name: "ImmutableDataTesting",
      dependencies: ["ImmutableData", "ImmutableJSON", "StateEngine", "Threading"]),

    .target(
      name: "TestSupport",
      dependencies: ["ImmutableData", "ImmutableJSON", "StateLog", "Threading"],
      path: "Tests/TestSupport"),
    .target(
      name: "Simulation",
      dependencies: ["ImmutableJSON", "StateEngine", "StateLog", "TestSupport"],
      path: "Tests/Simulation"),
    .executableTarget(name: "simulate", dependencies: ["Simulation"], path: "Tests/Simulate"),

    .testTarget(
      name: "ThreadingTests", dependencies: ["CLinux", "TestSupport", "Threading"]),
    .testTarget(name: "ImmutableDataTests", dependencies: ["ImmutableData", "TestSupport"]),
    .testTarget(
      name: "ImmutableObservationTests",
      dependencies: [
        "AnimalsData", "CounterData", "ImmutableData", "ImmutableDataC", "ImmutableJSON",
        "ImmutableObservation", "JMESPath", "StateEngine", "TestSupport",
      ]),
    .testTarget(
      name: "ImmutableJSONTests", dependencies: ["ImmutableJSON", "TestSupport", "Threading"]),
    .testTarget(
      name: "StateLogTests",
      dependencies: ["CScan", "ImmutableJSON", "StateLog", "TestSupport", "Threading"]),
    .testTarget(
      name: "JMESPathTests", dependencies: ["ImmutableJSON", "JMESPath", "TestSupport"]),
    .testTarget(
      name: "JSONSchemaTests", dependencies: ["ImmutableJSON", "JSONSchema", "TestSupport"]),
    .testTarget(
      name: "SQLiteStorageTests", dependencies: ["SQLiteStorage", "TestSupport", "Threading"]),
    .testTarget(
      name: "StateEngineTests",
      dependencies: [
        "CounterData", "ImmutableData", "ImmutableJSON", "JMESPath", "Simulation", "StateEngine",
        "TestSupport", "Threading",
      ]),
    .testTarget(
      name: "ImmutableDataTestingTests",
      dependencies: [
        "CounterData", "ImmutableDataTesting", "ImmutableJSON", "StateEngine", "Threading",
      ]),
    .testTarget(
      name: "ProductSupportTests",
      dependencies: [
        "ImmutableJSON", "ProductSupport", "SQLiteStorage", "StateEngine", "TestSupport",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]),
    .testTarget(
      name: "AnimalsDataTests",
      dependencies: [
        "AnimalsData", "ImmutableData", "ImmutableJSON", "ProductSupport", "SQLiteStorage",
        "StateEngine", "TestSupport", "Threading",
      ]),
    .testTarget(
      name: "QuakesDataTests",
      dependencies: [
        "CSQLite", "ImmutableData", "ImmutableJSON", "ImmutableObservation", "ProductSupport",
        "QuakesData", "SQLiteStorage", "StateEngine", "TestSupport", "Threading",
      ]),
    .testTarget(
      name: "FoodTruckDataTests",
      dependencies: [
        "FoodTruckData", "ImmutableData", "ImmutableJSON", "ProductSupport", "StateEngine",
        "TestSupport", "Threading",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]),
    .testTarget(
      name: "ImmutableDataCTests",
      dependencies: [
        "CImmutableData", "CounterData", "ImmutableData", "ImmutableDataC", "StateEngine",
        "Threading",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// The installed sources have no tests.
if !FileManager.default.fileExists(atPath: Context.packageDirectory + "/Tests") {
  package.targets.removeAll { $0.type == .test || $0.path?.hasPrefix("Tests/") == true }
}
