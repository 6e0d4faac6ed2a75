/* The JSON text of C++ values, for one call. */
#ifndef IMMUTABLEDATA_WRITING_HPP
#define IMMUTABLEDATA_WRITING_HPP

#include "value.hpp"

#include <charconv>

namespace immutabledata::detail {

class json_part;

template <class T> inline constexpr bool is_written = is_convertible_source<T>;

/* Appends JSON text to a string, until something cannot be JSON. Makes a value only of what it
 * cannot check itself, such as text that is not ASCII: the library then has the message. */
class json_writer {
 public:
  json_writer(std::string &written, std::optional<error> &failure)
      : text_(written), failure_(failure) {}

  template <class T> void add(const T &source) {
    check_source<T>();
    if constexpr (std::is_same_v<T, std::nullptr_t>) {
      text_ += "null";
    } else if constexpr (std::is_same_v<T, bool>) {
      text_ += source ? "true" : "false";
    } else if constexpr (is_integer<T>) {
      add_integer(source);
    } else if constexpr (std::is_floating_point_v<T>) {
      add_real(static_cast<double>(source));
    } else if constexpr (is_text<T>) {
      if (!is_null(source)) add_string(source);
    } else if constexpr (is_known_enum<T>) {
      const auto name = to_name(source);
      name ? add_string(*name) : fail(name.error());
    } else if constexpr (is_optional<T>) {
      source ? add(*source) : add(nullptr);
    } else if constexpr (is_record<T>) {
      add_record(source);
    } else if constexpr (is_map<T>) {
      add_object(source);
    } else {
      static_assert(is_sequence<T>, "JSON cannot be made from this type");
      add_array(source);
    }
  }

  void add(const value &source) { add_result(source.try_text()); }
  void add(const json_part &part);

  /* Adds the action of a struct with IMD_TYPE. */
  template <class Action> void add_action(const Action &action) {
    text_ += "{\"type\":";
    add_string(action_type<Action>());
    if constexpr (part_count<Action> > 0) {
      text_ += ",\"payload\":";
      add_record(action);
    }
    text_ += '}';
  }

  template <class Members> void add_object(const Members &members) {
    char before = '{';
    for (auto member = std::begin(members); !failure_ && member != std::end(members); ++member) {
      if (is_null(member->first)) return;
      const std::string_view key = member->first;
      if (is_empty(member->second))
        return fail(empty_argument("the member \"" + std::string(key) + '"'));
      text_ += std::exchange(before, ',');
      add_key(key);
      text_ += ':';
      add(member->second);
    }
    if (before == '{') text_ += '{';
    text_ += '}';
  }

 private:
  template <class Record> void add_record(const Record &record) {
    char before = '{';
    visit_parts<Record>([&](const auto &field) {
      const auto &member = record.*field.member;
      if constexpr (is_optional<std::decay_t<decltype(member)>>) {
        if (!member) return;
      }
      if (is_empty(member))
        return fail(empty_argument("the member \"" + std::string(field.name) + '"'));
      text_ += std::exchange(before, ',');
      add_key(field.name);
      text_ += ':';
      add(member);
    });
    if (before == '{') text_ += '{';
    text_ += '}';
  }

  template <class Elements> void add_array(const Elements &elements) {
    char before = '[';
    for (auto at = std::begin(elements); !failure_ && at != std::end(elements); ++at) {
      const auto &element = *at;
      if (is_empty(element)) return fail(empty_argument("an element of the array"));
      text_ += std::exchange(before, ',');
      add(element);
    }
    if (before == '[') text_ += '[';
    text_ += ']';
  }

  template <class Integer> void add_integer(Integer integer) {
    if constexpr (std::is_unsigned_v<Integer> && sizeof(Integer) == sizeof(std::int64_t)) {
      if (const auto fits = to_int64(integer); !fits) return fail(fits.error());
    }
    char digits[20];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, integer).ptr);
  }

  void add_real(double real) {
#if defined(__cpp_lib_to_chars)
    if (std::isfinite(real)) {
      char digits[32];
      const char *end = std::to_chars(digits, digits + sizeof digits, real).ptr;
      const std::string_view written(digits, static_cast<std::size_t>(end - digits));
      text_ += written;
      if (written.find_first_of(".e") == std::string_view::npos) text_ += ".0";
      return;
    }
#endif
    add_result(value::try_from(real));
  }

  void add_string(std::string_view string) {
    if (!quote(string)) add_result(value::try_from(string));
  }

  void add_key(std::string_view key) {
    if (quote(key)) return;
    const std::pair<std::string_view, std::nullptr_t> members[] = {{key, nullptr}};
    if (const auto object = object_of(members); !object) return fail(object.error());
    add_string(key);
  }

  /* Adds a string of ASCII characters without NUL; false, without adding anything, for another. */
  bool quote(std::string_view string) {
    const std::size_t size = text_.size();
    const char *start = string.data(), *const end = start + string.size();
    text_ += '"';
    for (const char *at = start; at != end; ++at) {
      const auto c = static_cast<signed char>(*at); /* negative beyond ASCII */
      if (c > '\\' || (c >= ' ' && c != '"' && c != '\\')) continue;
      if (c <= 0) {
        text_.resize(size);
        return false;
      }
      text_.append(start, at);
      start = at + 1;
      if (c >= ' ') {
        text_ += '\\';
        text_ += *at;
      } else {
        text_ += c < 16 ? "\\u000" : "\\u001";
        text_ += "0123456789abcdef"[c % 16];
      }
    }
    text_.append(start, end);
    text_ += '"';
    return true;
  }

  template <class Text> bool is_null(const Text &source) {
    if constexpr (std::is_pointer_v<Text>) {
      if (!source) fail(to_view(source).error());
      return !source;
    }
    return false;
  }

  void add_result(const result<text> &written) {
    if (!written) return fail(written.error());
    text_ += written->view();
  }
  void add_result(const result<value> &converted) {
    converted ? add(*converted) : fail(converted.error());
  }

  void fail(error failure) {
    if (!failure_) failure_ = std::move(failure);
  }

  template <class T> static bool is_empty(const T &) { return false; }
  static bool is_empty(const value &element) { return !element.has_value(); }
  static bool is_empty(const json_part &part);

  std::string &text_;
  std::optional<error> &failure_;
};

/* What a member in the braces of a json is: it refers to a C++ value, and is valid in the
 * expression that contains the braces. It converts from what a value converts from. */
class json_part {
 public:
  using member = std::pair<std::string_view, json_part>;

  json_part() = default;
  template <class T, std::enable_if_t<is_written<T>, int> = 0>
  json_part(const T &source) : source_(&source), write_(&write<T>) {}
  template <class T, std::enable_if_t<!is_written<T> && std::is_convertible_v<const T &, value>,
                                      int> = 0>
  json_part(const T &source) : value_(source) {}
  json_part(std::initializer_list<member> members)
      : count_(members.size()), write_(&write_members) {
    source_ = members.begin();
  }

 private:
  friend class json_writer;

  template <class T> static void write(const json_part &part, json_writer &writer) {
    writer.add(*static_cast<const T *>(part.source_));
  }
  static void write_members(const json_part &part, json_writer &writer);

  value value_;
  const void *source_ = nullptr;
  std::size_t count_ = 0; /* of members */
  void (*write_)(const json_part &, json_writer &) = nullptr;
};

inline void json_writer::add(const json_part &part) {
  part.write_ ? part.write_(part, *this) : add(part.value_);
}

inline bool json_writer::is_empty(const json_part &part) {
  return !part.write_ && !part.value_.has_value();
}

inline void json_part::write_members(const json_part &part, json_writer &writer) {
  struct {
    const member *first;
    std::size_t count;
    const member *begin() const { return first; }
    const member *end() const { return first + count; }
  } const members{static_cast<const member *>(part.source_), part.count_};
  writer.add_object(members);
}

}  // namespace immutabledata::detail

#endif
