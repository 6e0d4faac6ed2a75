/* The history of a store. */
#ifndef IMMUTABLEDATA_HISTORY_HPP
#define IMMUTABLEDATA_HISTORY_HPP

#include "error.hpp"

#include <memory>

namespace immutabledata {

namespace detail {

inline void end_group(imd_store *store) noexcept { imd_store_end_group(store, nullptr); }

}  // namespace detail

/* Makes all actions of a store one step, also those of other threads, until its destructor:
 *
 *     const auto group = store.group();
 */
class [[nodiscard]] group {
 public:
  group() = default;

  /* Takes over a group that imd_store_begin_group began. */
  explicit group(imd_store *store) noexcept : store_(store) {}

  /* Ends the group now. */
  void end() noexcept { store_.reset(); }

 private:
  std::unique_ptr<imd_store, detail::closer<detail::end_group>> store_;
};

}  // namespace immutabledata

#endif
