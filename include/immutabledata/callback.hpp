/* The error handler, and calling callbacks. */
#ifndef IMMUTABLEDATA_CALLBACK_HPP
#define IMMUTABLEDATA_CALLBACK_HPP

#include "error.hpp"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>

namespace immutabledata {

/* A function that is called for errors that no caller can receive: what an observer, its comparison
 * or filter, a fetch function, a function of an effect, an effect error handler or a trace function
 * throws, and the failure of a selector whose observer takes a const value &. It runs on the thread
 * of the callback.
 *
 * The message of error names the callback, and then says what was wrong. The status is that of the
 * selector's failure or of a thrown immutabledata::error; any other exception has the status
 * IMD_REDUCER_FAILED. std::current_exception() returns the exception, if any. */
using error_handler = void (*)(const error &error) noexcept;

namespace detail {

inline void print_error(const error &error) noexcept {
  std::fprintf(stderr, "immutabledata: %s\n", error.what());
}

inline std::atomic<error_handler> handler{print_error};

inline void report(const error &error) noexcept { handler.load()(error); }

/* what() of an exception, which may be NULL. */
inline const char *message(const std::exception &thrown) noexcept {
  return thrown.what() ? thrown.what() : "an exception without a message";
}

/* Runs a callback. If it throws, calls handle with the exception as an error. */
template <class Callback, class Handle>
void guard(const Callback &callback, const Handle &handle) noexcept {
#if IMMUTABLEDATA_EXCEPTIONS
  try {
    callback();
  } catch (const error &thrown) {
    handle(thrown.what() ? thrown : error(thrown.status(), message(thrown), thrown.code()));
  } catch (const std::exception &thrown) {
    handle(error(IMD_REDUCER_FAILED, message(thrown)));
  } catch (...) {
    handle(error(IMD_REDUCER_FAILED, "an exception that is not a std::exception"));
  }
#else
  (void)handle;
  callback();
#endif
}

/* Copies an error to an imd_error, and returns its status. A message that is too long is cut
 * between two characters. */
inline imd_status copy_error(const error &from, imd_error *to) noexcept {
  std::size_t size = std::strlen(from.what());
  if (size >= sizeof to->message) {
    size = sizeof to->message - 1;
    while (size > 0 && (from.what()[size] & 0xC0) == 0x80) --size;
  }
  std::memcpy(to->message, from.what(), size);
  to->message[size] = '\0';
  to->code = from.code();
  to->line = from.line();
  to->column = from.column();
  to->offset = from.offset();
  to->status = from.status() == IMD_OK ? IMD_REDUCER_FAILED : from.status();
  return to->status;
}

/* Calls a reducer, a selector or a rule, which returns a result<value>. Passes the value to the
 * library, or the error that it returned or threw. */
template <class Call>
imd_status return_value(imd_value **out, imd_error *failure, const Call &call) {
  imd_status status = IMD_OK;
  guard(
      [&] {
        if (auto returned = call()) {
          *out = returned->release();
        } else {
          status = copy_error(returned.error(), failure);
        }
      },
      [&](const error &thrown) { status = copy_error(thrown, failure); });
  return status;
}

/* A function that gets the progress of a call; nullptr for none. What it throws fails the call. */
template <class Function> class progress {
 public:
  explicit progress(Function &function) noexcept : function_(function) {}

  imd_log_progress function() const noexcept {
    if constexpr (std::is_same_v<Function, std::nullptr_t>) return nullptr;
    else return call;
  }

  /* What the call returns. */
  template <class T> result<T> end(result<T> done) {
    if (failure_) return *failure_;
    return done;
  }

 private:
  static int call(void *context, std::size_t done, std::size_t total) {
    auto &self = *static_cast<progress *>(context);
    bool goes_on = false;
    guard(
        [&] {
          using Result = std::invoke_result_t<Function &, std::size_t, std::size_t>;
          if constexpr (std::is_void_v<Result>) {
            self.function_(done, total);
            goes_on = true;
          } else {
            goes_on = self.function_(done, total);
          }
        },
        [&](const error &thrown) { self.failure_ = thrown; });
    return goes_on;
  }

  Function &function_;
  std::optional<error> failure_;
};

template <class Callback> void destroy(void *context) { delete static_cast<Callback *>(context); }

/* Moves a callback to the heap and passes it to a C function. If the call succeeds, the library
 * owns the callback; otherwise it is destroyed here. */
template <class Callback, class Call>
imd_status pass_callback(Callback &&callback, const Call &call) {
  using Stored = std::decay_t<Callback>;
  auto context = std::make_unique<Stored>(std::forward<Callback>(callback));
  const imd_status status = call(context.get(), destroy<Stored>);
  if (status == IMD_OK) static_cast<void>(context.release());
  return status;
}

}  // namespace detail

/* Sets the error handler of the process; nullptr restores the default, which prints to stderr. The
 * message begins with the callback that failed, such as: observer of "SELECTOR". */
inline void set_error_handler(error_handler handler) noexcept {
  detail::handler.store(handler ? handler : detail::print_error);
}

}  // namespace immutabledata

#endif
