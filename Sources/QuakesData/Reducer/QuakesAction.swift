/// Events of the user interface, of the cache and of the feed.
public enum QuakesAction: Codable, Hashable, Sendable {
  case ui(UI)
  case data(Data)
}

extension QuakesAction {
  public enum UI: Codable, Hashable, Sendable {
    case quakeList(QuakeList)
  }

  public enum Data: Codable, Hashable, Sendable {
    case persistentSession(PersistentSession)
  }
}

extension QuakesAction.UI {
  public enum QuakeList: Codable, Hashable, Sendable {
    case onAppear
    case onTapRefreshQuakesButton(range: QuakeRange)
    case onTapDeleteSelectedQuakeButton(quakeId: Quake.ID)
    case onTapDeleteAllQuakesButton

    /// Takes deletions back: `quakes` are those that they removed.
    case onTapRestoreQuakesButton(quakes: [Quake])
  }
}

/// The time span that a feed covers, up to now.
public enum QuakeRange: String, Codable, Hashable, Sendable, CaseIterable {
  case allHour, allDay, allWeek, allMonth
}

extension QuakesAction.Data {
  public enum PersistentSession: Codable, Hashable, Sendable {
    case localStore(LocalStore)
    case remoteStore(RemoteStore)
  }
}

extension QuakesAction.Data.PersistentSession {
  public enum FetchQuakesResult: Codable, Hashable, Sendable {
    case success(quakes: [Quake])
    case failure(error: String)
  }

  public enum LocalStore: Codable, Hashable, Sendable {
    case didFetchQuakes(result: FetchQuakesResult)

    /// What was fetched from the feed was saved, or could not be saved.
    case didSaveQuakes(result: SaveQuakesResult)

    case didDeleteQuake(quakeId: Quake.ID, result: DeleteQuakeResult)
    case didDeleteAllQuakes(result: DeleteAllQuakesResult)
  }

  public enum RemoteStore: Codable, Hashable, Sendable {
    case didFetchQuakes(result: FetchQuakesResult)

    /// Some features of the feed are not valid quakes. `error` describes the first one.
    case didSkipFeatures(count: Int, error: String)
  }
}

extension QuakesAction.Data.PersistentSession.LocalStore {
  public enum SaveQuakesResult: Codable, Hashable, Sendable {
    /// `changes` is the number of inserted, updated and deleted rows.
    case success(changes: Int)
    case failure(error: String)
  }

  public enum DeleteQuakeResult: Codable, Hashable, Sendable {
    case success
    /// The quake is shown again, unless a later deletion or a response of the feed removes it as
    /// well. `quake` is used only if the state does not know the deletion.
    case failure(error: String, quake: Quake)
  }

  public enum DeleteAllQuakesResult: Codable, Hashable, Sendable {
    case success
    /// The quakes are shown again, as for ``DeleteQuakeResult``.
    case failure(error: String, quakes: [Quake])
  }
}
