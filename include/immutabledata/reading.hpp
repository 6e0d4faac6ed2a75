/* Values as types of the program. */
#ifndef IMMUTABLEDATA_READING_HPP
#define IMMUTABLEDATA_READING_HPP

#include "cursor.hpp"

namespace immutabledata::detail {

/* Reads parts of one value, and keeps the first error. Where a part is a container, its elements
 * have a reader of their own. */
class value_reader {
 public:
  explicit value_reader(const value &root) : root_(root) {}

  /* Why reading failed. */
  error failure() const {
    return place_.empty() ? *failure_ : error("in \"" + place_ + '"', *failure_);
  }

  /* Reads what is at a pointer. Returns whether it succeeded. */
  template <class T> bool read(const std::string &pointer, T &out) {
    if constexpr (is_optional<T>) {
      return read_optional(pointer, out);
    } else if constexpr (std::is_same_v<T, value>) {
      return take(pointer, root_.try_at(pointer), out);
    } else if constexpr (is_known_enum<T>) {
      return read_enum(pointer, out);
    } else if constexpr (is_record<T>) {
      return read_record(pointer, out);
    } else if constexpr (is_map<T>) {
      out = T(); /* a struct may give its members other defaults */
      return read_elements(pointer, IMD_OBJECT, "an object", [&](auto key, auto &&element) {
        out.emplace(typename T::key_type(key), std::move(element));
      }, tag<typename T::mapped_type>());
    } else if constexpr (is_sequence<T>) {
      out = T();
      return read_elements(pointer, IMD_ARRAY, "an array", [&](auto, auto &&element) {
        out.insert(out.end(), std::move(element));
      }, tag<typename T::value_type>());
    } else {
      return take(pointer, root_.try_as<T>(pointer), out);
    }
  }

 private:
  template <class T> bool take(const std::string &pointer, result<T> &&read, T &out) {
    if (!read) {
      if (read.error().status() == IMD_LIMIT) place_ = pointer; /* not in the message */
      return fail(read.error());
    }
    out = *std::move(read);
    return true;
  }

  bool fail(error reason) {
    failure_ = std::move(reason);
    return false;
  }

  /* A missing member and null are empty. */
  template <class T> bool read_optional(const std::string &pointer, std::optional<T> &out) {
    out.reset();
    const auto part = root_.try_at(pointer);
    if (!part && part.error().status() == IMD_NOT_FOUND) return true;
    if (!part) return fail(part.error());
    if (part->kind() == IMD_NULL) return true;
    return read(pointer, out.emplace());
  }

  template <class Enum> bool read_enum(const std::string &pointer, Enum &out) {
    std::string text, names;
    if (!read(pointer, text)) return false;
    bool is_found = false;
    visit_parts<Enum>([&](const enumerator<Enum> &each) {
      names += (names.empty() ? "\"" : ", \"") + std::string(each.name) + '"';
      if (text != each.name || is_found) return;
      out = each.value;
      is_found = true;
    });
    return is_found || fail(error(IMD_INVALID_ARGUMENT, "invalid value \"" + text + '"' +
                                                            at(pointer) + "; expected one of: " +
                                                            names));
  }

  template <class Record> bool read_record(const std::string &pointer, Record &out) {
    if constexpr (part_count<Record> == 0) {
      static_cast<void>(out);
      return find(pointer, IMD_OBJECT, "an object").has_value();
    } else {
      bool is_read = true;
      visit_parts<Record>([&](const auto &field) {
        is_read = is_read && read(pointer + '/' + field.name, out.*field.member);
      });
      return is_read;
    }
  }

  template <class Element, class Add>
  bool read_elements(const std::string &pointer, imd_kind kind, const char *noun, Add &&add,
                     tag<Element>) {
    const value container = find(pointer, kind, noun);
    if (!container.has_value()) return false;
    auto cursor = cursor::try_open(container);
    if (!cursor) return fail(cursor.error());
    for (std::size_t index = 0; cursor->next(); ++index) {
      Element element{};
      value_reader reader(cursor->element());
      if (reader.read("", element)) {
        add(cursor->key(), std::move(element));
        continue;
      }
      place_ = pointer;
      kind == IMD_ARRAY ? append_step(place_, index) : append_step(place_, cursor->key());
      place_ += reader.place_;
      return fail(*std::move(reader.failure_));
    }
    return true;
  }

  /* Returns the array or object at a pointer, or an empty value. */
  value find(const std::string &pointer, imd_kind kind, const char *noun) {
    static constexpr const char *kinds[] = {"null",     "a boolean", "an integer", "a number",
                                            "a string", "an array",  "an object"};
    auto part = root_.try_at(pointer);
    if (!part) {
      fail(part.error());
      return {};
    }
    if (part->kind() == kind) return *std::move(part);
    fail(error(IMD_INVALID_ARGUMENT, std::string("expected ") + noun + at(pointer) + ", found " +
                                         kinds[part->kind()]));
    return {};
  }

  static std::string at(const std::string &pointer) {
    return pointer.empty() ? "" : " at \"" + pointer + '"';
  }

  const value &root_;
  std::optional<error> failure_;
  std::string place_; /* of the element whose reader failed */
};

template <class T> result<T> read(const value &root, const char *pointer) {
  T out{};
  value_reader reader(root);
  if (!reader.read(pointer ? pointer : "", out)) return reader.failure();
  return out;
}

}  // namespace immutabledata::detail

#endif
