import Glibc

/// A new folder for files, deleted with this object.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    var template = Array("/tmp/test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure() }
    self.path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    for name in self.names {
      unlink(self.file(name))
    }
    rmdir(self.path)
  }

  /// The path of a file in the folder.
  package func file(_ name: String) -> String {
    "\(self.path)/\(name)"
  }

  /// Writes a file.
  package func write(_ text: String, to name: String) throws {
    guard let file = fopen(self.file(name), "w") else { throw Failure() }
    fputs(text, file)
    fclose(file)
  }

  /// Copies a file to another one in the folder, if it is there.
  package func copy(_ path: String, to name: String) throws {
    guard let bytes = content(of: path) else { return }
    guard let file = fopen(self.file(name), "wb") else { throw Failure() }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  /// The names of the files, in order.
  package var names: [String] {
    fileNames(in: self.path)
  }

  private struct Failure: Error {}
}
