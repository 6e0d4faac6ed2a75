/* The history of a store. */
#ifndef IMMUTABLEDATA_HISTORY_HPP
#define IMMUTABLEDATA_HISTORY_HPP

#include "error.hpp"

#include <exception>
#include <memory>

namespace immutabledata {

namespace detail {

inline void end_group(imd_store *store) noexcept { imd_store_end_group(store, nullptr); }

}  // namespace detail

/* What becomes of a group whose destructor an exception calls: it ends, or is given up. */
enum class on_exception { end, cancel };

/* Makes all actions of a store one step, also those of other threads, until its destructor:
 *
 *     const auto group = store.group();
 */
class [[nodiscard]] group {
 public:
  group() = default;

  /* Takes over a group that imd_store_begin_group began. */
  explicit group(imd_store *store, on_exception behavior = on_exception::end) noexcept
      : store_(store), cancels_(behavior == on_exception::cancel),
        exceptions_(std::uncaught_exceptions()) {}

  group(group &&) noexcept = default;
  group &operator=(group &&) noexcept = default;

  /* If an exception must give up the group, and the domain forbids it, the group ends. */
  ~group() {
    if (cancels_ && std::uncaught_exceptions() > exceptions_) static_cast<void>(try_cancel());
  }

  /* Ends the group now. */
  void end() noexcept { store_.reset(); }

  /* Gives up the group now: the state is the one before it. See imd_store_cancel_group. */
#if IMMUTABLEDATA_EXCEPTIONS
  void cancel() { try_cancel().value(); }
#endif
  result<void> try_cancel() {
    if (!store_) return {};
    const auto cancelled = detail::attempt(
        [&](imd_error *failure) { return imd_store_cancel_group(store_.get(), failure); });
    if (cancelled) static_cast<void>(store_.release());
    return cancelled;
  }

 private:
  std::unique_ptr<imd_store, detail::closer<detail::end_group>> store_;
  bool cancels_ = false;
  int exceptions_ = 0;
};

}  // namespace immutabledata

#endif
