internal import CLinux
import Glibc

/// The file systems of networks that Linux knows, by what `statfs` says. Their locks do not exclude
/// other machines, or their data is cached.
private let networkFileSystems: [UInt32: String] = [
  0x6969: "NFS", 0x517B: "SMB", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB2", 0x00C3_6400: "Ceph",
  0x5346_414F: "AFS", 0x7375_7245: "Coda", 0x0BD0_0BD0: "Lustre", 0x4750_4653: "GPFS",
  0x0116_1970: "GFS2", 0x7461_636F: "OCFS2", 0x0197_0102: "BeeGFS",
]

/// The name of the network file system that has a path; `nil` if it is on this machine.
func networkFileSystem(of path: String) -> String? {
  var status = statfs()
  guard statfs(path, &status) == 0 else { return nil }
  return networkFileSystems[UInt32(truncatingIfNeeded: status.f_type)]
}
