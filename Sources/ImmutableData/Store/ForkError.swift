/// The process was forked during a call, and this is the child.
///
/// Locks of the store may be held by threads that exist only in the parent, so the call returns
/// without accessing the store again.
package struct ForkError: Error, Hashable {
  package init() {}
}
