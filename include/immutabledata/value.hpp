/* Immutable JSON values. */
#ifndef IMMUTABLEDATA_VALUE_HPP
#define IMMUTABLEDATA_VALUE_HPP

#include "conversion.hpp"

#include <initializer_list>
#include <variant>

namespace immutabledata {

class cursor;
class value;
template <bool keyed> class range;

namespace detail {

template <class T> result<T> read(const value &root, const char *pointer);

}  // namespace detail

/* The content of a value, as value::read returns it. Its index is the kind of the value, except
 * that index 5 holds arrays and objects. */
using content = std::variant<std::nullptr_t, bool, std::int64_t, double, text, value>;

/* A reference to an immutable JSON value. Copying it copies the reference, in O(1).
 *
 * It converts from nullptr, bool, integers, floating-point numbers, text, types with IMD_TYPE or
 * IMD_ENUM, and containers of these, such as std::vector, std::map and std::optional. Braces around
 * pairs make an object; array makes an array:
 *
 *     imd::value state = {{"page", "shop"}, {"cart", {{"tea", 3}}}, {"tags", imd::array({1, 2})}};
 *
 * A container of n elements takes O(n log n); for large data, parsing text is faster. A conversion
 * fails for text that is not UTF-8, numbers that are not finite or do not fit into 64 bits, and
 * empty values: it throws (also in an argument of a try_ function) or, without exceptions, makes an
 * empty value. try_from returns a result.
 *
 * An empty value is default constructed or moved from. It is not JSON null: it equals only empty
 * values. Its kind is IMD_NULL, its count is 0, and it contains nothing; functions that can fail
 * yield IMD_INVALID_ARGUMENT. */
class value {
 public:
  using member = std::pair<std::string_view, value>;

  value() noexcept = default;
  value(const value &other) noexcept
      : handle_(other.handle_ ? imd_value_retain(other.handle_) : nullptr) {}
  value(value &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  value &operator=(value other) & noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  void operator=(value other) && = delete; /* values are immutable: state = state.set("/n", 2) */
  ~value() {
    if (handle_) imd_value_release(handle_);
  }

  template <class T, class = std::enable_if_t<detail::is_convertible_source<T>>>
  value(const T &source);
  value(std::initializer_list<member> members);

  /* Takes ownership of a reference that a C function returned. */
  explicit value(imd_value *owned) noexcept : handle_(owned) {}

  /* Returns a new reference to a C value that you do not own. */
  static value retain(const imd_value *borrowed) noexcept {
    return value(imd_value_retain(borrowed));
  }

  /* The value for C functions: borrowed from this object, or owned by you. As with
   * std::unique_ptr, release() gives up the ownership: you call imd_value_release. */
  const imd_value *handle() const noexcept { return handle_; }
  [[nodiscard]] imd_value *release() noexcept { return std::exchange(handle_, nullptr); }

  /* The end of an array, for slice. */
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  bool has_value() const noexcept { return handle_ != nullptr; }
  imd_kind kind() const noexcept { return imd_value_kind(handle_); }
  std::size_t count() const noexcept { return imd_value_count(handle_); }

  /* Whether two values have the same canonical text, so 1 and 1.0 differ. */
  friend bool operator==(const value &a, const value &b) noexcept {
    return imd_value_equal(a.handle_, b.handle_) != 0;
  }
  friend bool operator!=(const value &a, const value &b) noexcept { return !(a == b); }

  /* Whether two values are the same instance. O(1). */
  bool is_identical(const value &other) const noexcept {
    return imd_value_identical(handle_, other.handle_) != 0;
  }

  /* Whether the value has an element or member at a pointer. */
  bool contains(const c_string &pointer) const { return bool(try_at(pointer)); }

#if IMMUTABLEDATA_EXCEPTIONS
  /* Reads JSON text. */
  static value parse(std::string_view text) { return try_parse(text).value(); }
  static value parse(const char *text) { return try_parse(text).value(); }

  /* Returns the canonical text. */
  immutabledata::text text() const { return try_text().value(); }

  /* Returns the value at a JSON Pointer: state["/todos/0/title"]. IMD_NOT_FOUND: it points to
   * nothing. */
  value at(const c_string &pointer) const { return try_at(pointer).value(); }
  value operator[](const c_string &pointer) const { return try_at(pointer).value(); }

  /* Returns what is at a pointer as a bool, an integer, a floating-point number, a std::string or
   * a text; as a type with IMD_TYPE or IMD_ENUM; or as a container or std::optional of these, such
   * as std::vector<int>. Members of an object that a type does not have are ignored.
   * IMD_INVALID_ARGUMENT: it is of another kind. IMD_NOT_FOUND: a member is missing. IMD_LIMIT: a
   * number does not fit into T. */
  template <class T> T as(const c_string &pointer = "") const { return try_as<T>(pointer).value(); }

  /* Returns the text of the string at a pointer. It is valid while this value or a copy of it
   * lives. The view of a borrowed value is valid until the borrow ends. The first call with a
   * pointer copies the text. */
  std::string_view view_string(const c_string &pointer = "") const {
    return try_view_string(pointer).value();
  }

  /* Returns kind and content in one call. */
  content read(const c_string &pointer = "") const;

  /* Return a new value that differs at one pointer. */
  template <class T> [[nodiscard]] value set(const c_string &pointer, const T &element) const {
    return try_set(pointer, element).value();
  }
  [[nodiscard]] value set(const c_string &pointer, const value &element) const {
    return try_set(pointer, element).value();
  }
  [[nodiscard]] value insert(const c_string &pointer, const value &element) const {
    return try_insert(pointer, element).value();
  }
  [[nodiscard]] value remove(const c_string &pointer) const { return try_remove(pointer).value(); }
  [[nodiscard]] value slice(std::size_t start, std::size_t end = npos) const {
    return try_slice(start, end).value();
  }

  /* Returns the JSON Patch from this value to another. */
  [[nodiscard]] value diff(const value &to) const { return try_diff(to).value(); }

  /* Apply a JSON Patch or a JSON Merge Patch, and return the new value. */
  [[nodiscard]] value patch(const value &patch) const { return try_patch(patch).value(); }
  [[nodiscard]] value merge(const value &patch) const { return try_merge(patch).value(); }

  /* Iterate over the elements, or over the keys and elements, of an array or object. An object is
   * visited in the order of its keys; with from_key, from the first key that is not less than it.
   * The keys of an array are empty.
   *
   *     for (const auto &todo : state["/todos"].elements()) …
   *     for (const auto &[key, price] : state["/prices"].members()) …
   */
  range<false> elements() const;
  range<true> members() const;
  range<true> members(const c_string &from_key) const;
#endif

  /* The same functions, which return a result. */
  template <class T> static result<value> try_from(const T &source);
  static result<value> try_from(std::initializer_list<member> members);
  static result<value> try_parse(std::string_view text) {
    return make([&](imd_value **out, imd_error *error) {
      return imd_value_parse(detail::data(text), text.size(), out, error);
    });
  }
  static result<value> try_parse(const char *text) {
    return make([&](imd_value **out, imd_error *error) {
      return imd_value_parse(text, IMD_ZERO_TERMINATED, out, error);
    });
  }
  result<immutabledata::text> try_text() const {
    return detail::obtain_text(self(), [&](char **out, std::size_t *length, imd_error *error) {
      return imd_value_text(handle_, out, length, error);
    });
  }
  result<value> try_at(const c_string &pointer) const {
    return make(self(), [&](imd_value **out, imd_error *error) {
      return imd_value_get(handle_, pointer.get(), out, error);
    });
  }
  template <class T> result<T> try_as(const c_string &pointer = "") const;
  result<std::string_view> try_view_string(const c_string &pointer = "") const {
    std::size_t length = 0;
    auto start = detail::obtain<const char *, const char *>(
        self(), [&](const char **out, imd_error *error) {
          return imd_value_view_string(handle_, pointer.get(), out, &length, error);
        });
    if (!start) return start.error();
    return std::string_view(*start, length);
  }
  result<content> try_read(const c_string &pointer = "") const;
  template <class T> result<value> try_set(const c_string &pointer, const T &element) const;
  result<value> try_set(const c_string &pointer, const value &element) const {
    if (handle_ && !element.handle_) return detail::empty_argument("the element");
    return make(self(), [&](imd_value **out, imd_error *error) {
      return imd_value_set(handle_, pointer.get(), element.handle_, out, error);
    });
  }
  result<value> try_insert(const c_string &pointer, const value &element) const {
    if (handle_ && !element.handle_) return detail::empty_argument("the element");
    return make(self(), [&](imd_value **out, imd_error *error) {
      return imd_value_insert(handle_, pointer.get(), element.handle_, out, error);
    });
  }
  result<value> try_remove(const c_string &pointer) const {
    return make(self(), [&](imd_value **out, imd_error *error) {
      return imd_value_remove(handle_, pointer.get(), out, error);
    });
  }
  result<value> try_slice(std::size_t start, std::size_t end = npos) const {
    return make(self(), [&](imd_value **out, imd_error *error) {
      return imd_value_slice(handle_, start, end, out, error);
    });
  }
  result<value> try_diff(const value &to) const {
    if (!to.handle_) return to.self("value to compare with").empty_error();
    return make(self(), [&](imd_value **out, imd_error *error) {
      return imd_value_diff(handle_, to.handle_, out, error);
    });
  }
  result<value> try_patch(const value &patch) const {
    if (!patch.handle_) return patch.self("patch").empty_error();
    return make(self(), [&](imd_value **out, imd_error *error) {
      return imd_value_patch(handle_, patch.handle_, out, error);
    });
  }
  result<value> try_merge(const value &patch) const {
    if (!patch.handle_) return patch.self("patch").empty_error();
    return make(self(), [&](imd_value **out, imd_error *error) {
      return imd_value_merge(handle_, patch.handle_, out, error);
    });
  }
  result<range<false>> try_elements() const;
  result<range<true>> try_members() const;
  result<range<true>> try_members(const c_string &from_key) const;

  /* Writes the text to a stream; an empty value writes nothing. */
  template <class Stream>
  friend auto operator<<(Stream &stream, const value &value)
      -> decltype(stream << std::string_view()) {
    return stream << (*value.try_text()).view();
  }

 private:
  detail::subject self(const char *noun = "value") const noexcept { return {noun, handle_}; }

  /* Calls a C function that returns a value. */
  template <class Call> static result<value> make(Call &&call) {
    return detail::obtain<value, imd_value *>(std::forward<Call>(call));
  }
  template <class Call> static result<value> make(const detail::subject &of, Call &&call) {
    return detail::obtain<value, imd_value *>(of, std::forward<Call>(call));
  }

  imd_value *handle_ = nullptr;
};

namespace detail {

/* A conversion has no way to return an error: without exceptions, it makes an empty value. */
inline value unwrap(result<value> &&converted) {
#if IMMUTABLEDATA_EXCEPTIONS
  return std::move(converted).value();
#else
  return *std::move(converted);
#endif
}

template <class Elements> result<value> array_of(const Elements &elements) {
  auto array = value::try_parse("[]");
  for (auto element = std::begin(elements); array && element != std::end(elements); ++element) {
    auto converted = value::try_from(*element);
    if (!converted) return converted;
    if (!converted->has_value()) return empty_argument("an element of the array");
    array = array->try_insert("/-", *converted);
  }
  return array;
}

template <class Members> result<value> object_of(const Members &members) {
  auto object = value::try_parse("{}");
  for (auto member = std::begin(members); object && member != std::end(members); ++member) {
    const auto key = to_view(member->first);
    if (!key) return key.error();
    auto converted = value::try_from(member->second);
    if (!converted) return converted;
    if (!converted->has_value()) return empty_argument("the member \"" + std::string(*key) + '"');
    object = object->try_set(pointer(*key), *converted);
  }
  return object;
}

/* Makes an object of the members of a struct with IMD_TYPE. */
template <class Record> result<value> object_of_record(const Record &source) {
  value values[part_count<Record> + 1];
  imd_member members[part_count<Record> + 1] = {};
  std::size_t count = 0;
  std::optional<error> failure;
  visit_parts<Record>([&](const auto &field) {
    const auto &member = source.*field.member;
    if constexpr (is_optional<std::decay_t<decltype(member)>>) {
      if (!member) return;
    }
    auto converted = value::try_from(member);
    if (converted && !converted->has_value())
      converted = empty_argument("the member \"" + std::string(field.name) + '"');
    if (!converted && !failure) failure = converted.error();
    values[count] = *std::move(converted);
    members[count].name = field.name;
    members[count].kind = IMD_VALUE;
    members[count].value = values[count].handle();
    ++count;
  });
  if (failure) return *failure;
  return obtain<value, imd_value *>([&](imd_value **out, imd_error *error) {
    return imd_value_object(members, count, out, error);
  });
}

}  // namespace detail

template <class T, class> value::value(const T &source)
    : value(detail::unwrap(try_from(source))) {}

inline value::value(std::initializer_list<member> members)
    : value(detail::unwrap(try_from(members))) {}

inline result<value> value::try_from(std::initializer_list<member> members) {
  return detail::object_of(members);
}

template <class T> result<value> value::try_from(const T &source) {
  detail::check_source<T>();
  if constexpr (std::is_same_v<T, value>) {
    return source;
  } else if constexpr (std::is_same_v<T, std::nullptr_t>) {
    return try_parse("null");
  } else if constexpr (std::is_same_v<T, bool>) {
    return make([&](imd_value **out, imd_error *error) {
      return imd_value_from_bool(source, out, error);
    });
  } else if constexpr (detail::is_integer<T>) {
    const auto integer = detail::to_int64(source);
    if (!integer) return integer.error();
    return make([&](imd_value **out, imd_error *error) {
      return imd_value_from_integer(*integer, out, error);
    });
  } else if constexpr (std::is_floating_point_v<T>) {
    return make([&](imd_value **out, imd_error *error) {
      return imd_value_from_real(static_cast<double>(source), out, error);
    });
  } else if constexpr (detail::is_text<T>) {
    const auto text = detail::to_view(source);
    if (!text) return text.error();
    return make([&](imd_value **out, imd_error *error) {
      return imd_value_from_string(detail::data(*text), text->size(), out, error);
    });
  } else if constexpr (detail::is_known_enum<T>) {
    const auto name = detail::to_name(source);
    if (!name) return name.error();
    return try_from(*name);
  } else if constexpr (detail::is_optional<T>) {
    return source ? try_from(*source) : try_from(nullptr);
  } else if constexpr (detail::is_record<T>) {
    return detail::object_of_record(source);
  } else if constexpr (detail::is_map<T>) {
    return detail::object_of(source);
  } else {
    static_assert(detail::is_sequence<T>, "a value cannot be made from this type");
    return detail::array_of(source);
  }
}

template <class T> result<T> value::try_as(const c_string &pointer) const {
  if constexpr (std::is_same_v<T, bool>) {
    return detail::obtain<bool, int>(self(), [&](int *out, imd_error *error) {
      return imd_value_get_bool(handle_, pointer.get(), out, error);
    });
  } else if constexpr (detail::is_integer<T>) {
    const auto integer = detail::obtain<std::int64_t, std::int64_t>(
        self(), [&](std::int64_t *out, imd_error *error) {
          return imd_value_get_integer(handle_, pointer.get(), out, error);
        });
    if (!integer) return integer.error();
    return detail::narrow<T>(*integer);
  } else if constexpr (std::is_floating_point_v<T>) {
    const auto real = detail::obtain<double, double>(self(), [&](double *out, imd_error *error) {
      return imd_value_get_real(handle_, pointer.get(), out, error);
    });
    if (!real) return real.error();
    return detail::narrow_real<T>(*real);
  } else if constexpr (std::is_same_v<T, immutabledata::text>) {
    return detail::obtain_text(self(), [&](char **out, std::size_t *length, imd_error *error) {
      return imd_value_get_string(handle_, pointer.get(), out, length, error);
    });
  } else if constexpr (detail::is_typed<T> || detail::is_map<T> || detail::is_sequence<T> ||
                       std::is_same_v<T, value>) {
    return detail::read<T>(*this, pointer.get());
  } else {
    static_assert(std::is_same_v<T, std::string>,
                  "a value is read as bool, an integer of up to 64 bits, a floating-point number, "
                  "std::string, immutabledata::text, a type with IMD_TYPE or IMD_ENUM, or a "
                  "container of these");
    const auto text = try_as<immutabledata::text>(pointer);
    if (!text) return text.error();
    return text->str();
  }
}

template <class T> result<value> value::try_set(const c_string &pointer, const T &element) const {
  detail::check_source<T>();
  if constexpr (std::is_same_v<T, bool>) {
    return make(self(), [&](imd_value **out, imd_error *error) {
      return imd_value_set_bool(handle_, pointer.get(), element, out, error);
    });
  } else if constexpr (detail::is_integer<T>) {
    const auto integer = detail::to_int64(element);
    if (!integer) return integer.error();
    return make(self(), [&](imd_value **out, imd_error *error) {
      return imd_value_set_integer(handle_, pointer.get(), *integer, out, error);
    });
  } else if constexpr (std::is_floating_point_v<T>) {
    return make(self(), [&](imd_value **out, imd_error *error) {
      return imd_value_set_real(handle_, pointer.get(), static_cast<double>(element), out, error);
    });
  } else if constexpr (detail::is_text<T>) {
    const auto text = detail::to_view(element);
    if (!text) return text.error();
    return make(self(), [&](imd_value **out, imd_error *error) {
      return imd_value_set_string(handle_, pointer.get(), detail::data(*text), text->size(), out,
                                  error);
    });
  } else {
    const auto converted = try_from(element);
    if (!converted) return converted;
    return try_set(pointer, *converted);
  }
}

inline result<content> value::try_read(const c_string &pointer) const {
  if (!handle_) return self().empty_error();
  imd_content read;
  imd_error failure;
  if (imd_value_read(handle_, pointer.get(), &read, &failure) != IMD_OK) return error(failure);
  switch (read.kind) {
    case IMD_NULL: break;
    case IMD_BOOL: return content(read.as.boolean != 0);
    case IMD_INTEGER: return content(std::int64_t{read.as.integer});
    case IMD_REAL: return content(read.as.real);
    case IMD_STRING: return content(immutabledata::text(read.as.string, read.count));
    case IMD_ARRAY:
    case IMD_OBJECT: return content(value(read.as.value));
  }
  return content(nullptr);
}

#if IMMUTABLEDATA_EXCEPTIONS
inline content value::read(const c_string &pointer) const { return try_read(pointer).value(); }
#endif

/* Make an array: array({1, "two", 3.0}), or an empty one. A container converts to a value by
 * itself: value(std::vector<int>{1, 2}). */
inline result<value> try_array(std::initializer_list<value> elements) {
  return detail::array_of(elements);
}
inline value array(std::initializer_list<value> elements = {}) {
  return detail::unwrap(detail::array_of(elements));
}

/* Make an object. object() is an empty one. */
inline result<value> try_object(std::initializer_list<value::member> members) {
  return detail::object_of(members);
}
inline value object(std::initializer_list<value::member> members = {}) {
  return detail::unwrap(detail::object_of(members));
}

}  // namespace immutabledata

#endif
