import CImmutableData
import StateEngine

@_cdecl("imd_store_set_fetch") @implementation
public func imd_store_set_fetch(
  _ store: OpaquePointer?, _ fetch: imd_fetch?, _ context: UnsafeMutableRawPointer?,
  _ release: ReleaseFunction?, _ error: Out<imd_error>
) -> imd_status {
  setFunction(of: store, fetch, context, release, error) {
    try $0.removeFetch()
  } _: { store, fetch in
    try store.setFetch(release: fetch.callRelease, fetch.start)
  }
}

@_cdecl("imd_request_resolve") @implementation
public func imd_request_resolve(
  _ request: OpaquePointer?, _ http_status: CInt, _ headers: UnsafePointer<imd_header>?,
  _ header_count: Int, _ body: UnsafePointer<CChar>?, _ length: Int, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    let request = try requests.borrowTask(request)
    let (headers, body) = try request.convertResponse(headers, header_count, body, length, "body")
    try request.resolve(status: Int(http_status), headers: headers, body)
  }
}

@_cdecl("imd_request_receive") @implementation
public func imd_request_receive(
  _ request: OpaquePointer?, _ http_status: CInt, _ headers: UnsafePointer<imd_header>?,
  _ header_count: Int, _ part: UnsafePointer<CChar>?, _ length: Int, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    let request = try requests.borrowTask(request)
    let (headers, part) = try request.convertResponse(headers, header_count, part, length, "part")
    try request.receive(status: Int(http_status), headers: headers, part)
  }
}

@_cdecl("imd_request_reject") @implementation
public func imd_request_reject(
  _ request: OpaquePointer?, _ reason: UnsafePointer<CChar>?, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    let request = try requests.borrowTask(request)
    try request.reject(request.reading { try repairedText(reason, "reason") })
  }
}

@_cdecl("imd_store_settle") @implementation
public func imd_store_settle(
  _ store: OpaquePointer?, _ timeout_ms: CInt, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) { try stores.borrow(store).settle(milliseconds: timeout_ms) }
}

@_cdecl("imd_store_advance") @implementation
public func imd_store_advance(
  _ store: OpaquePointer?, _ milliseconds: CInt, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) { try stores.borrow(store).advance(milliseconds: milliseconds) }
}

@_cdecl("imd_store_receive") @implementation
public func imd_store_receive(
  _ store: OpaquePointer?, _ waiting: Out<Int>, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    let count = try stores.borrow(store).receive()
    waiting?.pointee = count
  }
}

extension FetchTask {
  /// Converts the headers and the body, or a part of it, of a response.
  fileprivate func convertResponse(
    _ headers: UnsafePointer<imd_header>?, _ count: Int,
    _ body: UnsafePointer<CChar>?, _ length: Int, _ name: String
  ) throws -> ([FetchHeader], [UInt8]) {
    try self.reading {
      let headers = try fields(headers, count)
      return (headers, length == 0 ? [] : Array(try requiredText(body, length, name)))
    }
  }

  /// Reads parameters of a call that answers or rejects the request. A parameter beyond a limit
  /// ends the request.
  fileprivate func reading<Result>(_ read: () throws -> Result) throws -> Result {
    do {
      return try read()
    } catch let error as EngineError {
      if error.code == .limit { self.endBeyondLimit(error.message) }
      throw error
    }
  }
}

/// The maximum number of header fields.
private let maximumFields = 1_000

private func fields(
  _ headers: UnsafePointer<imd_header>?, _ count: Int
) throws(EngineError) -> [FetchHeader] {
  guard count != 0 else { return [] }
  let headers = try required(headers, "headers")
  guard (0...maximumFields).contains(count) else {
    throw EngineError(
      .limit, "\(UInt(bitPattern: count)) headers are more than \(maximumFields)")
  }
  var fields: [FetchHeader] = []
  for header in UnsafeBufferPointer(start: headers, count: count) {
    fields.append(
      FetchHeader(
        try repairedText(header.name, "the name of a header"),
        try repairedText(header.value, "the value of a header")))
  }
  return fields
}

extension CFunction<imd_fetch> {
  @Sendable fileprivate func start(_ task: FetchTask) {
    let handle = requests.create(untilEndOf: task)
    let request = task.request
    let strings = CStrings()
    let headers = request.headers.map {
      imd_header(name: strings.copy($0.name), value: strings.copy($0.value))
    }
    (request.body + [0]).withUnsafeBytes { body in
      headers.withUnsafeBufferPointer { headers in
        let info = imd_request_info(
          method: strings.copy(request.method), url: strings.copy(request.url),
          headers: headers.baseAddress, header_count: headers.count,
          body: body.assumingMemoryBound(to: CChar.self).baseAddress,
          body_length: request.body.count,
          is_streamed: request.isStreamed ? 1 : 0)
        withUnsafePointer(to: info) { self.function(self.context, handle, $0) }
      }
    }
  }
}
