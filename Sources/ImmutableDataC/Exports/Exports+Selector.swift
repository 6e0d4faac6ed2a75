import CImmutableData
import ImmutableJSON
import StateEngine

@_cdecl("imd_store_define_selector") @implementation
public func imd_store_define_selector(
  _ store: OpaquePointer?, _ selector: UnsafePointer<CChar>?, _ expression: UnsafePointer<CChar>?,
  _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    try stores.enter(store, .use).store.define(
      requiredName(selector, "name"), requiredName(expression, "expression"))
  }
}

@_cdecl("imd_store_check_expression") @implementation
public func imd_store_check_expression(
  _ store: OpaquePointer?, _ expression: UnsafePointer<CChar>?,
  _ out: Out<UnsafeMutablePointer<CChar>?>, _ outLength: Out<Int>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, outLength, error) {
    let store = try stores.enter(store, .select).store
    let mistakes = try store.mistakes(in: requiredName(expression, "expression"))
    return Text.make(json: .array(JSONArray(mistakes.map(Value.string))))
  }
}

@_cdecl("imd_store_define_function") @implementation
public func imd_store_define_function(
  _ store: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?,
  _ length: Int, _ selector: imd_selector?, _ context: UnsafeMutableRawPointer?,
  _ release: ReleaseFunction?, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    let store = try stores.enter(store, .use).store
    let function = CFunction(try required(selector, "selector"), context, release)
    let options = try FunctionOptions(optionalValue(options, length, .options))
    try store.define(
      requiredName(name, "name"), options, release: function.callRelease, function.select)
  }
}

@_cdecl("imd_store_describe") @implementation
public func imd_store_describe(
  _ store: OpaquePointer?, _ out: Out<UnsafeMutablePointer<CChar>?>, _ outLength: Out<Int>,
  _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, outLength, error) {
    Text.make(json: try stores.enter(store, .use).store.description())
  }
}

extension CFunction<imd_selector> {
  /// Calls the function with borrowed values.
  @Sendable fileprivate func select(_ inputs: [Value], _ arguments: Value) throws -> Value {
    let output = try ValueHandle.withBorrowed(arguments) { arguments in
      try ValueHandle.withBorrowed(inputs) { inputs in
        try ValueHandle.returned(by: "selector", failingWith: .invalidSelector) { out, error in
          inputs.withUnsafeBufferPointer {
            self.function(self.context, $0.baseAddress, $0.count, arguments, out, error)
          }
        }
      }
    }
    guard let output else {
      throw EngineError(.invalidSelector, "it returned no value; set *out, to null if need be")
    }
    return output
  }
}
