/* Errors: an exception, and a result for programs without exceptions. */
#ifndef IMMUTABLEDATA_ERROR_HPP
#define IMMUTABLEDATA_ERROR_HPP

#include <immutabledata.h>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

/* 1 if the functions that throw exist, otherwise 0. */
#if defined(__cpp_exceptions)
#define IMMUTABLEDATA_EXCEPTIONS 1
#else
#define IMMUTABLEDATA_EXCEPTIONS 0
#endif

/* The result of a function must not outlive its object; clang warns if it does. */
#if defined(__clang__)
#define IMMUTABLEDATA_BORROWS [[clang::lifetimebound]]
#else
#define IMMUTABLEDATA_BORROWS
#endif

namespace immutabledata {

/* Why a call failed; what() is the message, and the rest is that of imd_error. A reducer, a
 * selector or a rule throws or returns one with a code of its own:
 * error(IMD_REDUCER_FAILED, "no such task", 7). */
class error : public std::runtime_error {
 public:
  error(imd_status status, const std::string &message, int code = 0)
      : std::runtime_error(message), status_(status), code_(code) {}

  explicit error(const imd_error &failure)
      : std::runtime_error(failure.message), status_(failure.status), code_(failure.code),
        line_(failure.line), column_(failure.column), offset_(failure.offset) {}

  /* The same error, with a message that begins with the place where it happened. */
  error(const std::string &place, const error &other)
      : std::runtime_error(place + ": " + other.what()), status_(other.status_),
        code_(other.code_), line_(other.line_), column_(other.column_), offset_(other.offset_) {}

  imd_status status() const noexcept { return status_; }
  int code() const noexcept { return code_; }
  int line() const noexcept { return line_; }
  int column() const noexcept { return column_; }
  std::size_t offset() const noexcept { return offset_; }

 private:
  imd_status status_;
  int code_ = 0;
  int line_ = 0;
  int column_ = 0;
  std::size_t offset_ = 0;
};

/* What a call returned, or why it failed:
 *
 *     if (auto title = state.try_as<std::string>("/title"))
 *       puts(title->c_str());
 *     else
 *       puts(title.error().what());
 */
template <class T> class [[nodiscard]] result {
 public:
  result(immutabledata::error failure) : failure_(std::move(failure)) {}

  template <class U, class = std::enable_if_t<std::is_convertible_v<U &&, T>>>
  result(U &&value) : value_(std::forward<U>(value)) {}

  result(const result &) = default;
  result(result &&) = default;
  result &operator=(const result &) & = default;
  result &operator=(result &&) & = default;

  /* Whether the call succeeded. */
  explicit operator bool() const noexcept { return !failure_; }

  /* What the call returned; after a failure, a default T. A temporary result is moved from, so that
   * a loop can run over *value.try_elements(). */
  T &operator*() & noexcept { return value_; }
  const T &operator*() const & noexcept { return value_; }
  T operator*() && { return std::move(value_); }
  T *operator->() noexcept { return &value_; }
  const T *operator->() const noexcept { return &value_; }

  /* What the call returned; after a failure, another value. */
  T value_or(T other) const & { return failure_ ? std::move(other) : value_; }
  T value_or(T other) && { return failure_ ? std::move(other) : std::move(value_); }

  /* Why the call failed; after success, an error with the status IMD_OK. */
  immutabledata::error error() const {
    return failure_ ? *failure_ : immutabledata::error(IMD_OK, "");
  }

#if IMMUTABLEDATA_EXCEPTIONS
  /* What the call returned. Throws the error if it failed. */
  T value() && {
    if (failure_) throw *failure_;
    return std::move(value_);
  }
  const T &value() const & {
    if (failure_) throw *failure_;
    return value_;
  }
#endif

 private:
  T value_{};
  std::optional<immutabledata::error> failure_;
};

/* The result of a call that returns nothing. */
template <> class [[nodiscard]] result<void> {
 public:
  result() = default;
  result(immutabledata::error failure) : failure_(std::move(failure)) {}

  explicit operator bool() const noexcept { return !failure_; }

  immutabledata::error error() const {
    return failure_ ? *failure_ : immutabledata::error(IMD_OK, "");
  }

#if IMMUTABLEDATA_EXCEPTIONS
  void value() const {
    if (failure_) throw *failure_;
  }
#endif

 private:
  std::optional<immutabledata::error> failure_;
};

namespace detail {

/* The object whose handle a C function takes. */
struct subject {
  const char *noun;
  const void *handle;

  error empty_error() const {
    return error(IMD_INVALID_ARGUMENT,
                 std::string("the ") + noun + " is empty or was moved from");
  }
};

/* Calls a C function that returns only a status. */
template <class Call> result<void> attempt(Call &&call) {
  imd_error failure;
  if (call(&failure) == IMD_OK) return {};
  return error(failure);
}
template <class Call> result<void> attempt(const subject &of, Call &&call) {
  if (!of.handle) return of.empty_error();
  return attempt(std::forward<Call>(call));
}

/* Calls a C function that has an out-parameter, and makes a T from what it returns there. */
template <class T, class Out, class Call> result<T> obtain(Call &&call) {
  Out out{};
  imd_error failure;
  if (call(&out, &failure) == IMD_OK) return T(out);
  return error(failure);
}
template <class T, class Out, class Call> result<T> obtain(const subject &of, Call &&call) {
  if (!of.handle) return of.empty_error();
  return obtain<T, Out>(std::forward<Call>(call));
}

#if IMMUTABLEDATA_EXCEPTIONS
/* Whether the call succeeded; false if its handle was closed. Throws other errors. */
inline bool unless_closed(const result<void> &done) {
  if (!done && done.error().status() == IMD_CLOSED) return false;
  done.value();
  return true;
}
#endif

/* The deleter of a handle. */
template <auto close> struct closer {
  template <class Handle> void operator()(Handle *handle) const noexcept { close(handle); }
};

}  // namespace detail
}  // namespace immutabledata

#endif
