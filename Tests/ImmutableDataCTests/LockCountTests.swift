import CImmutableData
import ImmutableDataC
import Testing
import Threading

#if DEBUG
  /// A reducer that adds to the member n.
  private func add(
    _ context: UnsafeMutableRawPointer?, _ state: OpaquePointer?, _ action: OpaquePointer?,
    _ next: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<imd_error>?
  ) -> imd_status {
    var number: Int64 = 0
    let status = imd_value_get_integer(state, "/n", &number, error)
    return status == IMD_OK ? imd_value_set_integer(state, "/n", number + 1, next, error) : status
  }

  // How many locks a call takes. Threading counts them in debug builds.
  @Suite struct LockCountTests {
    private let store: OpaquePointer?

    init() {
      var store: OpaquePointer?
      #expect(imd_store_create(#"{"n":0}"#, -1, add, nil, nil, nil, 0, &store, nil) == IMD_OK)
      self.store = store
    }

    /// The counts of the second dispatch: the first one also creates what is needed once.
    private func countDispatch() -> (locks: Int, lookups: Int) {
      func dispatch() {
        #expect(imd_store_dispatch(self.store, #"{"type":"add"}"#, -1, nil) == IMD_OK)
      }
      dispatch()
      let before = CallScope.counts
      dispatch()
      let after = CallScope.counts
      return (after.locks - before.locks, after.lookups - before.lookups)
    }

    @Test func withoutReaders() {
      let (locks, lookups) = self.countDispatch()
      #expect(locks == 2)  // the dispatch, the commits
      #expect(lookups == 1)
      imd_store_close(self.store)
    }

    @Test func ofASelect() {
      #expect(imd_store_define_selector(self.store, "n", "n", nil) == IMD_OK)
      func select() -> Int {
        let before = CallScope.counts.locks
        var text: UnsafeMutablePointer<CChar>?
        #expect(imd_store_select(self.store, "n", nil, 0, &text, nil, nil) == IMD_OK)
        imd_free(text)
        return CallScope.counts.locks - before
      }
      _ = select()
      #expect(select() == 0)
      _ = self.countDispatch()
      #expect(select() == 1)  // the outputs, to put the new one there
      imd_store_close(self.store)
    }

    @Test func withAnObserverAndAStream() {
      var stream: OpaquePointer?
      #expect(imd_store_define_selector(self.store, "n", "n", nil) == IMD_OK)
      #expect(
        imd_store_observe(
          self.store, "n", nil, 0, nil, 0, { _, _ in }, nil, nil, nil, nil) == IMD_OK)
      #expect(imd_store_stream(self.store, nil, 0, &stream, nil) == IMD_OK)
      let (locks, lookups) = self.countDispatch()
      // Also the stream, the observations, and the commits once more after the delivery.
      #expect(locks == 5)
      #expect(lookups == 1)
      imd_stream_close(stream)
      imd_store_close(self.store)
    }
  }
#endif
