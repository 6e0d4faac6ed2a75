// Without Foundation, because the members that it adds to `String` would apply in all tests.

import Glibc

/// The names of the files in a folder, in order, except hidden ones; none if there is no folder.
package func fileNames(in path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    names.append(
      withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      })
  }
  return names.filter { !$0.hasPrefix(".") }.sorted()
}

/// How many instances of inotify this process has. The test runner opens other descriptors.
package func inotifyInstanceCount() -> Int {
  fileNames(in: "/proc/self/fd").count { name in
    var target = [CChar](repeating: 0, count: 64)
    let count = readlink("/proc/self/fd/" + name, &target, target.count)
    return target.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
      == Array("anon_inode:inotify".utf8)
  }
}

/// The content of a file, or `nil` if it cannot be read.
package func content(of path: String) -> [UInt8]? {
  guard let file = fopen(path, "rb") else { return nil }
  defer { fclose(file) }
  var content: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
    content += buffer[..<count]
  }
  return content
}
