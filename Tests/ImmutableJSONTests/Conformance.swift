import Foundation
import ImmutableJSON

/// Third-party conformance suites, if available: in the folder named by the environment variable
/// `IMD_CONFORMANCE`, or in `../shared/conformance` relative to the package.
enum Conformance {
  private static let folder: URL? = {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
    let folder =
      ProcessInfo.processInfo.environment["IMD_CONFORMANCE"].map { URL(filePath: $0) }
      ?? root.appending(path: "../../../shared/conformance").standardizedFileURL
    return FileManager.default.fileExists(atPath: folder.path()) ? folder : nil
  }()

  /// The JSON files in a folder; none if the suites are not available.
  static func files(_ path: String) throws -> [URL] {
    guard let folder else { return [] }
    return try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: path), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "json" }
  }

  /// The cases of all files in a folder. Each file is an array of cases.
  static func cases(_ path: String) throws -> [Value] {
    try self.files(path).flatMap { file in
      let value = try Data(contentsOf: file).withUnsafeBytes { try Value(json: $0) }
      guard case .array(let cases) = value else { return [Value]() }
      return Array(cases)
    }
  }

  /// Prints the number of cases run.
  static func report(_ suite: String, _ count: Int, _ unit: String) {
    print(count == 0 ? "\(suite): skipped, not found" : "\(suite): \(count) \(unit)")
  }
}
