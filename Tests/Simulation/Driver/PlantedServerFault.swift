/// A mistake of a server or of its driver that the simulation must find.
package enum PlantedServerFault: String, CaseIterable, Sendable {
  case headIgnored = "entries are appended wherever the log ends"
  case counterIgnored = "the counter of an origin is not compared"
  case counterForgotten = "the counter of an origin is that of the entries that are kept"
  case appendLost = "an append is answered, and not made"
  case appendTwice = "an append is made twice"
  case orderLost = "two entries are read in the wrong order"
  case entrySkipped = "an entry is left out of what is read"
  case entryChanged = "an entry is read with another text"
  case readFromStandby = "the last entry is not there yet where others read"
  case refusedAppendMade = "an append that is answered as refused is made"
  case lateAppendDone = "an append that is answered as not made is made later"
  case snapshotTooEarly = "a snapshot is kept with a later place than its own"
  case trimmedTooFar = "entries after the snapshot are removed"
}
