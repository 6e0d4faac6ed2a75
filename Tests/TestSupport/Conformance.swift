import Glibc

/// The files of public conformance suites, which are not in the repository.
///
/// They are in the folder that the environment variable `IMD_CONFORMANCE` names, or in
/// `../shared/conformance` beside the repository. Without them, their tests are skipped.
package enum Conformance {
  private static let folder: String = {
    if let path = getenv("IMD_CONFORMANCE") { return String(cString: path) }
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(root)/../shared/conformance"
  }()

  package static func isAvailable(_ suite: String) -> Bool {
    !fileNames(in: "\(self.folder)/\(suite)").isEmpty
  }

  /// The names and contents of the JSON files of a suite.
  package static func files(_ suite: String) -> [(name: String, bytes: [UInt8])] {
    let folder = "\(self.folder)/\(suite)"
    return fileNames(in: folder).filter { $0.hasSuffix(".json") }.compactMap { name in
      content(of: "\(folder)/\(name)").map { (name, $0) }
    }
  }
}
