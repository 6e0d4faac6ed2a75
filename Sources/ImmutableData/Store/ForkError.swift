/// A call was under way when the process forked, and this is the child.
///
/// Locks of the store may be held by threads that only the parent has. So the call ends without
/// another look at the store.
package struct ForkError: Error, Hashable {
  package init() {}
}
