import StateLog

/// What logs need of the system. Tests simulate it.
package struct LogSystem: Sendable {
  package var files: any FileSystem = SystemFiles()

  /// Whether logs may start threads. Without, ``AnyStore/logFile`` has work that its user must do,
  /// and a store that only reads follows its log only when it is refreshed.
  package var hasThreads = true

  package init() {}
}
