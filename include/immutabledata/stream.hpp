/* Streams of actions. */
#ifndef IMMUTABLEDATA_STREAM_HPP
#define IMMUTABLEDATA_STREAM_HPP

#include "value.hpp"

#include <algorithm>
#include <chrono>

namespace immutabledata {

/* A timeout that never expires. */
inline constexpr std::chrono::milliseconds forever = std::chrono::milliseconds::max();

namespace detail {

/* A negative timeout has expired; to the C functions it would mean forever. */
inline int to_timeout(std::chrono::milliseconds timeout) noexcept {
  if (timeout == forever) return -1;
  const std::chrono::milliseconds none(0), longest(std::numeric_limits<int>::max());
  return static_cast<int>(std::clamp(timeout, none, longest).count());
}

}  // namespace detail

/* A queue of the actions of a store. Its destructor closes it.
 *
 *     while (auto commit = stream.try_next()) log(commit->action);
 */
class [[nodiscard]] stream {
 public:
  /* An action, and the states before and after it. */
  struct commit {
    value action;
    value old_state;
    value new_state;
  };

  stream() = default;
  explicit stream(imd_stream *owned) noexcept : handle_(owned) {}

#if IMMUTABLEDATA_EXCEPTIONS
  /* Reads and removes the oldest action. Outside callbacks, waits for one.
   * IMD_TIMEOUT: none came in time. IMD_CLOSED: no more will come. IMD_LIMIT: the reader fell too
   * far behind. */
  commit next(std::chrono::milliseconds timeout = forever) { return try_next(timeout).value(); }

  /* The same without the states, which a store of a domain would have to encode. */
  value next_action(std::chrono::milliseconds timeout = forever) {
    return try_next_action(timeout).value();
  }

  /* How many actions have been dropped. */
  std::size_t dropped() const { return try_dropped().value(); }

  /* A descriptor that is readable while next would not wait. Do not close it. */
  int fd() const { return try_fd().value(); }
#endif

  result<commit> try_next(std::chrono::milliseconds timeout = forever) {
    imd_value *action = nullptr, *old_state = nullptr, *new_state = nullptr;
    auto read = detail::attempt(self(), [&](imd_error *error) {
      return imd_stream_next(handle(), detail::to_timeout(timeout), &action, &old_state, &new_state,
                             error);
    });
    if (!read) return read.error();
    return commit{value(action), value(old_state), value(new_state)};
  }
  result<value> try_next_action(std::chrono::milliseconds timeout = forever) {
    return detail::obtain<value, imd_value *>(self(), [&](imd_value **action, imd_error *error) {
      return imd_stream_next(handle(), detail::to_timeout(timeout), action, nullptr, nullptr,
                             error);
    });
  }
  result<std::size_t> try_dropped() const {
    return detail::obtain<std::size_t, std::size_t>(
        self(), [&](std::size_t *out, imd_error *error) {
          return imd_stream_dropped(handle(), out, error);
        });
  }
  result<int> try_fd() const {
    return detail::obtain<int, int>(self(), [&](int *out, imd_error *error) {
      return imd_stream_fd(handle(), out, error);
    });
  }

  /* Closes the stream and wakes threads that wait for it. */
  void close() noexcept { imd_stream_close(handle()); }

  imd_stream *handle() const noexcept { return handle_.get(); }

 private:
  detail::subject self() const noexcept { return {"stream", handle()}; }

  std::unique_ptr<imd_stream, detail::closer<imd_stream_close>> handle_;
};

}  // namespace immutabledata

#endif
