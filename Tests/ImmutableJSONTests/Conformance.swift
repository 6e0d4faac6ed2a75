import Foundation
import ImmutableJSON

/// The suites that others publish, where they are at hand: in the folder that the environment
/// variable `IMD_CONFORMANCE` names, or in `../shared/conformance`, seen from the package.
enum Conformance {
  private static let folder: URL? = {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
    let folder =
      ProcessInfo.processInfo.environment["IMD_CONFORMANCE"].map { URL(filePath: $0) }
      ?? root.appending(path: "../../../shared/conformance").standardizedFileURL
    return FileManager.default.fileExists(atPath: folder.path()) ? folder : nil
  }()

  /// The files with JSON in a folder; none where the suites are not at hand.
  static func files(_ path: String) throws -> [URL] {
    guard let folder else { return [] }
    return try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: path), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "json" }
  }

  /// The cases of all files in a folder, each of which is an array of them.
  static func cases(_ path: String) throws -> [Value] {
    try self.files(path).flatMap { file in
      let value = try Data(contentsOf: file).withUnsafeBytes { try Value(json: $0) }
      guard case .array(let cases) = value else { return [Value]() }
      return Array(cases)
    }
  }

  /// Prints how much of a suite was there.
  static func report(_ suite: String, _ count: Int, _ unit: String) {
    print(count == 0 ? "\(suite): skipped, not found" : "\(suite): \(count) \(unit)")
  }
}
