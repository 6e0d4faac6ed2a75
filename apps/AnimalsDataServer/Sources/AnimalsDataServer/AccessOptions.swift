import AnimalsServer
import ArgumentParser

/// The options that control access to a server.
///
/// The token is a plain string here: if its type were `AccessToken`, the parser would quote an
/// invalid one in its message.
struct AccessOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The token that clients must send as 'Authorization: Bearer TOKEN'. Other users of this \
      machine can see it in the list of processes; prefer '--token-file'.
      """, valueName: "token"))
  var token: String?

  @Option(
    help: ArgumentHelp("The file whose first line is the token.", valueName: "path"))
  var tokenFile: String?

  @Flag(
    help: "Listen beyond loopback without a token: whoever reaches the port can change everything.")
  var insecure = false

  /// Not the parser's own `validate()`, because the rule depends on the host.
  func validate(host: String) throws {
    guard self.token == nil || self.tokenFile == nil else {
      throw ValidationError("'--token' and '--token-file' exclude each other.")
    }
    if let token, AccessToken(token) == nil {
      throw ValidationError(AccessTokenError.invalid("'--token'").description)
    }
    let isRestricted = self.token != nil || self.tokenFile != nil
    guard isRestricted || self.insecure || AnimalsServer.isLoopback(host) else {
      throw ValidationError(
        "'\(host)' is not a loopback address, so others on the network could read and change "
          + "everything. Require a token with '--token-file <path>', listen on 127.0.0.1, or "
          + "accept the risk with '--insecure'.")
    }
  }

  func accessToken() throws -> AccessToken? {
    if let token { return AccessToken(token) }
    return try self.tokenFile.map(AccessToken.init(file:))
  }
}
