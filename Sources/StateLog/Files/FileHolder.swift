import Threading
import Glibc

/// The process that has locked a file, for a message; `nil` if it is not known.
///
/// The system does not say who has an open-file-description lock. But the information about each
/// descriptor of a process lists the locks that were taken through it.
func processThatLocked(_ file: FileIdentity) -> Int32? {
  for process in names(in: "/proc") {
    guard let number = Int32(process) else { continue }
    let folder = "/proc/" + process
    for descriptor in names(in: folder + "/fd") {
      var status = stat()
      guard stat(folder + "/fd/" + descriptor, &status) == 0, FileIdentity(status) == file,
        hasLock(folder + "/fdinfo/" + descriptor)
      else { continue }
      return number
    }
  }
  return nil
}

private func names(in folder: String) -> [String] {
  let descriptor = openDescriptor(folder, O_RDONLY | O_DIRECTORY)
  guard descriptor >= 0 else { return [] }
  guard let folder = fdopendir(descriptor) else {
    close(descriptor)
    return []
  }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    // The name is shorter than its member, and the memory may end with it.
    names.append(
      withUnsafeMutablePointer(to: &entry.pointee.d_name) { name in
        String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
      })
  }
  return names
}

/// Whether a line begins with "lock:".
private func hasLock(_ information: String) -> Bool {
  let descriptor = openDescriptor(information, O_RDONLY)
  guard descriptor >= 0 else { return false }
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = read(descriptor, &bytes, bytes.count)
  return bytes.prefix(max(count, 0)).split(separator: UInt8(ascii: "\n")).contains { line in
    line.starts(with: "lock:".utf8)
  }
}
