import Threading
import Glibc

/// The process that has locked a file, or a byte of it, for a message; `nil` if it is not known.
///
/// The system does not say who has an open-file-description lock. But the information about each
/// descriptor of a process lists the locks that were taken through it.
func processThatLocked(_ file: FileIdentity, _ byte: Int?) -> Int32? {
  for process in names(in: "/proc") {
    guard let number = Int32(process) else { continue }
    let folder = "/proc/" + process
    for descriptor in names(in: folder + "/fd") {
      var status = stat()
      guard stat(folder + "/fd/" + descriptor, &status) == 0, FileIdentity(status) == file,
        hasLock(folder + "/fdinfo/" + descriptor, byte)
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

/// Whether the information about a descriptor has a lock of a byte, or any if it is `nil`:
/// `lock:  1: OFDLCK  ADVISORY  WRITE -1 08:01:1234 0 0`, with the first and the last byte at the
/// end.
private func hasLock(_ information: String, _ byte: Int?) -> Bool {
  content(of: information).split(separator: UInt8(ascii: "\n")).contains { line in
    guard line.starts(with: "lock:".utf8) else { return false }
    guard let byte else { return true }
    let bounds = line.split(separator: UInt8(ascii: " ")).suffix(2).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard let first = bounds.first.flatMap({ Int($0) }), let last = bounds.last else {
      return false
    }
    return first <= byte && Int(last).map { byte <= $0 } ?? true
  }
}

/// Whether a process is stopped: its state follows its name, which is in parentheses.
func isStopped(_ process: Int32) -> Bool {
  let status = content(of: "/proc/" + String(process) + "/stat")
  guard let end = status.lastIndex(of: UInt8(ascii: ")")) else { return false }
  let state = status[end...].dropFirst(2).first
  return state == UInt8(ascii: "T") || state == UInt8(ascii: "t")
}

/// The first bytes of a file of the system.
private func content(of path: String) -> ArraySlice<UInt8> {
  let descriptor = openDescriptor(path, O_RDONLY)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = read(descriptor, &bytes, bytes.count)
  return bytes.prefix(max(count, 0))
}
