import CImmutableData
import StateEngine
import Glibc

@_cdecl("imd_version") @implementation
public func imd_version() -> UnsafePointer<CChar>? {
  version.text
}

@_cdecl("imd_status_name") @implementation
public func imd_status_name(_ status: imd_status) -> UnsafePointer<CChar>? {
  borrowed(status.name)
}

@_cdecl("imd_free") @implementation
public func imd_free(_ text: UnsafeMutableRawPointer?) {
  guard let text else { return }
  Text.release(at: text)
}

@_cdecl("imd_domains") @implementation
public func imd_domains(
  _ out: Out<UnsafeMutablePointer<CChar>?>, _ outLength: Out<Int>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, outLength, error) { Text.make(json: try domains.get().descriptions) }
}

/// The version as a static C string.
private let version = Version()

private struct Version: @unchecked Sendable {
  let text = UnsafePointer(strdup(IMD_VERSION))
}

private func borrowed(_ text: StaticString) -> UnsafePointer<CChar> {
  UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

extension imd_status {
  fileprivate var name: StaticString {
    switch self {
    case IMD_OK: "IMD_OK"
    case IMD_INVALID_ARGUMENT: "IMD_INVALID_ARGUMENT"
    case IMD_INVALID_JSON: "IMD_INVALID_JSON"
    case IMD_INVALID_ACTION: "IMD_INVALID_ACTION"
    case IMD_UNKNOWN_DOMAIN: "IMD_UNKNOWN_DOMAIN"
    case IMD_UNKNOWN_SELECTOR: "IMD_UNKNOWN_SELECTOR"
    case IMD_INVALID_SELECTOR: "IMD_INVALID_SELECTOR"
    case IMD_REDUCER_FAILED: "IMD_REDUCER_FAILED"
    case IMD_REENTRANT: "IMD_REENTRANT"
    case IMD_LIMIT: "IMD_LIMIT"
    case IMD_TIMEOUT: "IMD_TIMEOUT"
    case IMD_IO: "IMD_IO"
    case IMD_CORRUPT: "IMD_CORRUPT"
    case IMD_UNAVAILABLE: "IMD_UNAVAILABLE"
    case IMD_REFUSED: "IMD_REFUSED"
    case IMD_DIVERGED: "IMD_DIVERGED"
    case IMD_OUTDATED: "IMD_OUTDATED"
    case IMD_CLOSED: "IMD_CLOSED"
    case IMD_NOT_FOUND: "IMD_NOT_FOUND"
    default: "IMD_UNKNOWN_STATUS"
    }
  }
}
