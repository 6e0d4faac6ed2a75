import ImmutableJSON
import ProductSupport
import StateEngine

/// Why a request to an animals server failed.
public typealias RemoteError = ProductSupport.RemoteError

/// Animals and categories on a server, accessed by `POST /animals/api`.
///
/// ```swift
/// let fetcher = Fetcher { task in … }  // performs the request, for example with URLSession
/// let store = try RemoteStore(address: "http://127.0.0.1:8080", fetcher: fetcher)
/// let owl = try store.addAnimalMutation(name: "Owl", diet: .carnivorous, categoryId: "Bird")
/// ```
///
/// A call waits for the server's response, so it must not be made on the thread that performs the
/// requests. A store may be used from any thread.
public final class RemoteStore: PersistentStore {
  let fetcher: Fetcher
  private let server: RemoteServer

  /// - Parameters:
  ///   - address: The URL of the server, such as `http://127.0.0.1:8080`.
  ///   - token: The bearer token that the server requires (RFC 6750), in visible ASCII. It is sent
  ///     with every request and used for nothing else.
  ///   - fetcher: Performs the requests.
  ///   - timeout: How long to wait for a response, in milliseconds.
  /// - Throws: `EngineError`: `invalidArgument` if the address is not a URL, or the token cannot be
  ///   sent.
  public convenience init(
    address: String, token: String? = nil, fetcher: Fetcher, timeout: Int32 = 30_000
  ) throws(EngineError) {
    try self.init(
      address: address, token: token, fetcher: fetcher, timeout: timeout,
      names: RemoteServer.ArgumentNames())
  }

  init(
    address: String, token: String?, fetcher: Fetcher, timeout: Int32,
    names: RemoteServer.ArgumentNames
  ) throws(EngineError) {
    self.fetcher = fetcher
    self.server = try RemoteServer(
      address: address, kind: "an animals server", token: token, fetcher: fetcher,
      timeout: timeout, names: names)
  }
}

// MARK: Queries and mutations

extension RemoteStore {
  public func fetchAnimalsQuery() throws -> [Animal] {
    try self.answer(to: .animals) {
      if case .animals(let animals) = $0 { animals } else { nil }
    }
  }

  public func fetchCategoriesQuery() throws -> [Category] {
    try self.answer(to: .categories) {
      if case .categories(let categories) = $0 { categories } else { nil }
    }
  }

  public func addAnimalMutation(
    name: String, diet: Diet, categoryId: Category.ID
  ) throws -> Animal {
    try self.answer(to: .addAnimal(name: name, diet: diet, categoryId: categoryId)) {
      if case .addAnimal(let animal) = $0 { animal } else { nil }
    }
  }

  public func updateAnimalMutation(
    animalId: Animal.ID, name: String, diet: Diet, categoryId: Category.ID
  ) throws -> Animal {
    let mutation = RemoteRequest.Mutation.updateAnimal(
      animalId: animalId, name: name, diet: diet, categoryId: categoryId)
    return try self.answer(to: mutation) {
      if case .updateAnimal(let animal) = $0 { animal } else { nil }
    }
  }

  public func deleteAnimalMutation(animalId: Animal.ID) throws -> Animal {
    try self.answer(to: .deleteAnimal(animalId: animalId)) {
      if case .deleteAnimal(let animal) = $0 { animal } else { nil }
    }
  }

  public func reloadSampleDataMutation() throws -> (animals: [Animal], categories: [Category]) {
    try self.answer(to: .reloadSampleData) {
      if case .reloadSampleData(let animals, let categories) = $0 {
        (animals, categories)
      } else {
        nil
      }
    }
  }

  /// Fetches all animals and categories, from one snapshot of the database.
  func fetchAll() throws -> (animals: [Animal], categories: [Category]) {
    let response = try self.response(to: RemoteRequest(query: [.animals, .categories]))
    for case .animals(let animals) in response.query ?? [] {
      for case .categories(let categories) in response.query ?? [] {
        return (animals, categories)
      }
    }
    throw self.error(.missingContent("animals and categories"))
  }
}

// MARK: Requests

extension RemoteStore {
  /// Sends one query, and returns the content of the first matching answer.
  private func answer<Content>(
    to query: RemoteRequest.Query, _ content: (RemoteResponse.Query) -> Content?
  ) throws -> Content {
    let response = try self.response(to: RemoteRequest(query: [query]))
    for answer in response.query ?? [] {
      if let content = content(answer) { return content }
    }
    throw self.error(.missingContent("\(query)"))
  }

  private func answer<Content>(
    to mutation: RemoteRequest.Mutation, _ content: (RemoteResponse.Mutation) -> Content?
  ) throws -> Content {
    let response = try self.response(to: RemoteRequest(mutation: [mutation]))
    for answer in response.mutation ?? [] {
      if let content = content(answer) { return content }
    }
    throw self.error(.missingContent("the change"))
  }

  private func response(to request: RemoteRequest) throws -> RemoteResponse {
    let fetch = FetchRequest(
      method: "POST", url: "\(self.server.address)/animals/api",
      headers: [
        FetchHeader("Content-Type", "application/json"), FetchHeader("Accept", "application/json"),
      ], body: try Value(encoding: request).utf8JSON)
    return try self.server.response(to: fetch) { try $0.decode() }
  }

  /// Streams the server's changes: those after the one with `lastId` or, without it, all from now
  /// on.
  func stream(
    after lastId: String?, onEvent: @escaping @Sendable (FetchTask.Event) -> Void
  ) -> FetchTask {
    var headers = [FetchHeader("Accept", "text/event-stream")]
    if let lastId { headers.append(FetchHeader("Last-Event-ID", lastId)) }
    return self.server.stream(
      FetchRequest(url: "\(self.server.address)/animals/changes", headers: headers),
      onEvent: onEvent)
  }

  func error(_ kind: RemoteError.Kind) -> RemoteError {
    self.server.error(kind)
  }
}
