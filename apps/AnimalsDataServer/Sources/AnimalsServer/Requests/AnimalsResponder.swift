import AnimalsData
import HTTPTypes
import Hummingbird
import ImmutableJSON
import NIOCore
import ServiceLifecycle

/// Answers `POST /animals/api`, and `GET /animals/changes` with a stream of events.
struct AnimalsResponder: HTTPResponder {
  struct Context: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
      self.coreContext = CoreRequestContextStorage(source: source)
      self.channel = source.channel
    }
  }

  let store: ServedStore
  let bodyLimit: Int
  let token: AccessToken?
  let heartbeat: Duration

  func respond(to request: Request, context: Context) async throws -> Response {
    do {
      // Checked first, so that a client without the token learns nothing about the server.
      guard self.token?.allows(request.headers[.authorization]) != false else {
        throw RequestError.unauthorized
      }
      switch (request.uri.path, request.method) {
      case ("/animals/api", .post): return try await self.answer(request, context)
      case ("/animals/changes", .get): return self.stream(request, context)
      case ("/animals/api", _): throw RequestError(request, allow: "POST")
      case ("/animals/changes", _): throw RequestError(request, allow: "GET")
      default: throw RequestError(nothingAt: request.uri.path)
      }
    } catch let error as RequestError {
      return request.method == .head ? error.response.createHeadResponse() : error.response
    }
  }

  private func answer(_ request: Request, _ context: Context) async throws -> Response {
    guard
      let type = request.headers[.contentType],
      MediaType(from: type)?.isType(.applicationJson) == true
    else {
      throw RequestError(refusing: request.headers[.contentType])
    }
    // Responds without waiting for the body. A length that does not fit in an Int is too large.
    guard request.headers[.contentLength].map({ Int($0) ?? .max }) ?? 0 <= self.bodyLimit else {
      throw RequestError(bodyLimit: self.bodyLimit)
    }
    let body: ByteBuffer
    do {
      body = try await request.body.collect(upTo: self.bodyLimit)
    } catch is NIOTooManyBytesError {
      throw RequestError(bodyLimit: self.bodyLimit)
    }
    let remoteRequest = try RemoteRequest(body: body)
    do {
      let response = try await self.store.perform(remoteRequest)
      return Response(status: .ok, json: try Value(encoding: response))
    } catch let error as RequestError {
      throw error
    } catch {
      context.logger.error("a request failed: \(error)")
      throw RequestError.storeFailed
    }
  }

  private func stream(_ request: Request, _ context: Context) -> Response {
    let number = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }.flatMap { Int($0) }
    let body = ResponseBody { writer in
      try await self.store.withReader(after: number) {
        // A write that waits for a slow reader returns only when the connection closes.
        context.channel.close(promise: nil)
      } _: { reader in
        try await withGracefulShutdownHandler {
          try await request.body.consumeWithInboundCloseHandler { _ in
            for await events in reader.events {
              try await writer.write(events)
              reader.sent(events)
            }
          } onInboundClosed: {
            reader.end()
          }
        } onGracefulShutdown: {
          reader.end()
        }
      }
      try await writer.finish(nil)
    }
    var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-cache"]
    if let name = HTTPField.Name("Animals-Heartbeat") {
      headers[name] = String(self.heartbeat.milliseconds)
    }
    return Response(status: .ok, headers: headers, body: body)
  }
}

extension RequestError {
  fileprivate static var unauthorized: RequestError {
    RequestError(
      code: .unauthorized,
      message: "the server requires its token, as the header \"Authorization: Bearer TOKEN\"")
  }

  fileprivate static var storeFailed: RequestError {
    RequestError(
      code: .storeFailed, message: "the store of animals failed; see the server's log")
  }

  fileprivate init(nothingAt path: String) {
    self.init(
      code: .notFound,
      message:
        "there is nothing at \(Value.string(path)); "
        + "the paths are /animals/api and /animals/changes",
      details: [("path", .string(path))])
  }

  fileprivate init(_ request: Request, allow: String) {
    self.init(
      code: .methodNotAllowed,
      message: "\(request.uri.path) takes \(allow), not \(request.method.rawValue)",
      details: [("allow", [.string(allow)])], allow: allow)
  }

  fileprivate init(refusing type: String?) {
    self.init(
      code: .unsupportedMediaType,
      message:
        "the Content-Type must be application/json; "
        + (type.map { "it is \(Value.string($0))" } ?? "there is none"))
  }

  fileprivate init(bodyLimit: Int) {
    self.init(
      code: .bodyTooLarge, message: "the body is larger than \(bodyLimit) bytes",
      details: [("limit", .integer(Int64(bodyLimit)))], closesConnection: true)
  }
}
