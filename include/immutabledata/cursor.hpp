/* Iteration over the elements of an array, or the members of an object. */
#ifndef IMMUTABLEDATA_CURSOR_HPP
#define IMMUTABLEDATA_CURSOR_HPP

#include "value.hpp"

namespace immutabledata {

namespace detail {

/* A value that the library releases. */
class borrowed {
 public:
  borrowed() = default;
  explicit borrowed(const imd_value *value) noexcept : value_(const_cast<imd_value *>(value)) {}
  borrowed(borrowed &&other) noexcept = default;
  borrowed &operator=(borrowed &&other) noexcept {
    static_cast<void>(value_.release());
    value_ = std::move(other.value_);
    return *this;
  }
  ~borrowed() { static_cast<void>(value_.release()); }

  const immutabledata::value &get() const noexcept { return value_; }

 private:
  immutabledata::value value_;
};

}  // namespace detail

/* Iterates over a value, which it retains:
 *
 *     for (imd::cursor cursor(state); cursor.next();) use(cursor.key(), cursor.element());
 *
 * key and element are valid until the next call of next. The key of an element of an array is
 * empty. */
class cursor {
 public:
  cursor() = default;
  cursor(cursor &&other) noexcept
      : handle_(std::move(other.handle_)), key_(std::exchange(other.key_, {})),
        element_(std::move(other.element_)) {}
  cursor &operator=(cursor &&other) noexcept {
    handle_ = std::move(other.handle_);
    key_ = std::exchange(other.key_, {});
    element_ = std::move(other.element_);
    return *this;
  }

  explicit cursor(imd_cursor *owned) noexcept : handle_(owned) {}

#if IMMUTABLEDATA_EXCEPTIONS
  /* Opens a cursor before the first element or member, or before the first member whose key is not
   * less than from_key. IMD_INVALID_ARGUMENT: the value is neither array nor object, or it is an
   * array and from_key is given. */
  explicit cursor(const value &value) : cursor(try_open(value).value()) {}
  cursor(const value &value, const c_string &from_key)
      : cursor(try_open(value, from_key).value()) {}
#endif
  static result<cursor> try_open(const value &value) { return open(value, nullptr); }
  static result<cursor> try_open(const value &value, const c_string &from_key) {
    return open(value, from_key.get());
  }

  /* Advances; returns false at the end. */
  bool next() noexcept {
    const char *key = nullptr;
    std::size_t length = 0;
    const imd_value *element = nullptr;
    const bool has_element = imd_cursor_next(handle_.get(), &key, &length, &element) != 0;
    key_ = key ? std::string_view(key, length) : std::string_view();
    element_ = detail::borrowed(element);
    return has_element;
  }

  std::string_view key() const noexcept { return key_; }
  const value &element() const noexcept { return element_.get(); }

 private:
  static result<cursor> open(const value &value, const char *from_key) {
    return detail::obtain<cursor, imd_cursor *>(
        detail::subject{"value", value.handle()}, [&](imd_cursor **out, imd_error *error) {
          return imd_cursor_open(value.handle(), from_key, out, error);
        });
  }

  std::unique_ptr<imd_cursor, detail::closer<imd_cursor_close>> handle_;
  std::string_view key_;
  detail::borrowed element_;
};

/* The elements or, if keyed, the members of a value, for one loop. */
template <bool keyed> class range {
 public:
  using member = std::pair<std::string_view, const value &>;

  struct end_of_range {};

  class iterator {
   public:
    explicit iterator(immutabledata::cursor *cursor) noexcept : cursor_(cursor) { ++*this; }

    std::conditional_t<keyed, member, const value &> operator*() const noexcept {
      if constexpr (keyed) {
        return {cursor_->key(), cursor_->element()};
      } else {
        return cursor_->element();
      }
    }
    iterator &operator++() noexcept {
      has_element_ = cursor_->next();
      return *this;
    }
    bool operator!=(end_of_range) const noexcept { return has_element_; }

   private:
    immutabledata::cursor *cursor_;
    bool has_element_ = false;
  };

  range() = default;
  explicit range(immutabledata::cursor cursor) noexcept : cursor_(std::move(cursor)) {}

  iterator begin() noexcept { return iterator(&cursor_); }
  end_of_range end() const noexcept { return {}; }

 private:
  immutabledata::cursor cursor_;
};

namespace detail {

template <class Range> result<Range> to_range(result<cursor> &&cursor) {
  if (!cursor) return cursor.error();
  return Range(*std::move(cursor));
}

}  // namespace detail

inline result<range<false>> value::try_elements() const {
  return detail::to_range<range<false>>(cursor::try_open(*this));
}
inline result<range<true>> value::try_members() const {
  return detail::to_range<range<true>>(cursor::try_open(*this));
}
inline result<range<true>> value::try_members(const c_string &from_key) const {
  return detail::to_range<range<true>>(cursor::try_open(*this, from_key));
}

#if IMMUTABLEDATA_EXCEPTIONS
inline range<false> value::elements() const { return try_elements().value(); }
inline range<true> value::members() const { return try_members().value(); }
inline range<true> value::members(const c_string &from_key) const {
  return try_members(from_key).value();
}
#endif

}  // namespace immutabledata

#endif
