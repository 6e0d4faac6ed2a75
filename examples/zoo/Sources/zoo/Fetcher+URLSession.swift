import Foundation
import StateEngine

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Fetcher {
  /// Creates a fetcher that performs requests with `URLSession`.
  static func urlSession() -> Fetcher {
    Fetcher { task in
      guard let request = URLRequest(task.request) else {
        try? task.reject("\"\(task.request.url)\" is not a valid URL")
        return
      }
      let session = URLSession(
        configuration: .ephemeral, delegate: Responder(task), delegateQueue: nil)
      let dataTask = session.dataTask(with: request)
      task.onEnd { dataTask.cancel() }
      dataTask.resume()
      session.finishTasksAndInvalidate()
    }
  }
}

extension URLRequest {
  fileprivate init?(_ request: FetchRequest) {
    guard let url = URL(string: request.url) else { return nil }
    self.init(url: url)
    self.httpMethod = request.method
    for header in request.headers {
      self.setValue(header.value, forHTTPHeaderField: header.name)
    }
    if !request.body.isEmpty { self.httpBody = Data(request.body) }
  }
}

/// Passes the response on as it arrives. A streamed response lasts until the store is released.
private final class Responder: NSObject, URLSessionDataDelegate {
  private let task: FetchTask

  init(_ task: FetchTask) {
    self.task = task
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    self.receive(response, [])
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    self.receive(dataTask.response, Array(data))
  }

  /// Does not follow redirects: the request may contain a token.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    // These calls fail if the request was cancelled meanwhile; its response is then not needed.
    if let response = task.response as? HTTPURLResponse, error == nil {
      try? self.task.resolve(status: response.statusCode, headers: response.fetchHeaders, [])
    } else {
      try? self.task.reject(error?.localizedDescription ?? "the response is not an HTTP response")
    }
  }

  private func receive(_ response: URLResponse?, _ part: [UInt8]) {
    guard let response = response as? HTTPURLResponse else { return }
    try? self.task.receive(
      status: response.statusCode, headers: response.fetchHeaders, part)
  }
}

extension HTTPURLResponse {
  fileprivate var fetchHeaders: [FetchHeader] {
    self.allHeaderFields.map { FetchHeader("\($0.key)", "\($0.value)") }
  }
}
