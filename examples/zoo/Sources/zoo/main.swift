import AnimalsData
import Foundation
import StateEngine

// Shows and changes the animals of a category, in a database or on a server.

let usage = """
  usage: zoo SOURCE list CATEGORY
         zoo SOURCE add CATEGORY NAME DIET
         zoo SOURCE rename CATEGORY NAME NEW-NAME
         zoo SOURCE delete CATEGORY NAME
         zoo SOURCE watch CATEGORY COUNT

  SOURCE is the path of a database, or the URL of a server: zoo.sqlite, http://127.0.0.1:8080.
  watch shows the animals COUNT times: at first and, with a server, again whenever any client
  changes them.

  """

func printError(_ text: String) {
  FileHandle.standardError.write(Data(text.utf8))
}

/// Opens the database at a path, or connects to the server at a URL.
func persistentStore(_ source: String) throws -> any PersistentStore {
  if source.contains("://") {
    try RemoteStore(address: source, fetcher: .urlSession())
  } else {
    try LocalStore(path: source)
  }
}

guard let (source, command) = Command.parse(CommandLine.arguments.dropFirst()) else {
  printError(usage)
  exit(2)
}

let log = ChangeLog()
do {
  let zoo = Zoo(try persistentStore(source), category: command.category)
  log.listen(to: zoo.store)
  try await zoo.perform(command) { animals in
    print(animals.map { "\($0.name) (\($0.diet.rawValue))" }.joined(separator: ", "))
    fflush(nil)  // a pipe would get the line only at the end
  }
} catch {
  printError("zoo: \(error)\n")
  exit(1)
}
await log.finish()
