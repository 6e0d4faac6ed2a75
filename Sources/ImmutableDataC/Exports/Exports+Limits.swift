import CImmutableData
import ImmutableJSON
import StateEngine

@_cdecl("imd_limit") @implementation
public func imd_limit(_ kind: imd_limit_kind) -> Int64 {
  kind.limit.map { Int64(ValueLimits[$0]) } ?? 0
}

@_cdecl("imd_set_limit") @implementation
public func imd_set_limit(
  _ kind: imd_limit_kind, _ limit: Int64, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    guard let settable = kind.limit else {
      throw EngineError(
        .invalidArgument,
        "\(Int32(truncatingIfNeeded: kind.rawValue)) is not a kind of limit; pass "
          + "IMD_LIMIT_VALUES, IMD_LIMIT_TEXT, IMD_LIMIT_INPUT or IMD_LIMIT_WORK")
    }
    try ValueLimits.set(settable, to: Int(limit))
  }
}

extension imd_limit_kind {
  fileprivate var limit: ValueLimits.Settable? {
    switch self {
    case IMD_LIMIT_VALUES: .values
    case IMD_LIMIT_TEXT: .text
    case IMD_LIMIT_INPUT: .input
    case IMD_LIMIT_WORK: .work
    default: nil
    }
  }
}
