/* Text that the library returns, and the names and JSON Pointers that it takes. */
#ifndef IMMUTABLEDATA_TEXT_HPP
#define IMMUTABLEDATA_TEXT_HPP

#include "error.hpp"
#include "traits.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace immutabledata {

/* Text that the library returned, without a copy. A string_view of it is valid as long as the
 * text. */
class text {
 public:
  text() = default;

  /* Takes ownership of text that a C function returned. */
  text(char *owned, std::size_t size) noexcept : owned_(owned), size_(size) {}

  std::string_view view() const noexcept IMMUTABLEDATA_BORROWS {
    return {c_str(), owned_ ? size_ : 0};
  }
  std::string str() const { return std::string(view()); }
  const char *c_str() const noexcept IMMUTABLEDATA_BORROWS { return owned_ ? owned_.get() : ""; }
  std::size_t size() const noexcept { return view().size(); }
  operator std::string_view() const noexcept IMMUTABLEDATA_BORROWS { return view(); }

  friend bool operator==(const text &a, const text &b) noexcept { return a.view() == b.view(); }
  friend bool operator!=(const text &a, const text &b) noexcept { return a.view() != b.view(); }
  friend bool operator==(const text &a, std::string_view b) noexcept { return a.view() == b; }
  friend bool operator!=(const text &a, std::string_view b) noexcept { return a.view() != b; }

  template <class Stream>
  friend auto operator<<(Stream &stream, const text &text)
      -> decltype(stream << std::string_view()) {
    return stream << text.view();
  }

 private:
  std::unique_ptr<char, detail::closer<imd_free>> owned_;
  std::size_t size_ = 0;
};

/* A name or JSON Pointer for one call: a string literal or std::string is borrowed, a string_view
 * is copied. */
class c_string {
 public:
  c_string(const char *text) noexcept : text_(text) {}
  c_string(const std::string &text) {
    if (text.find('\0') == std::string::npos) {
      text_ = text.c_str();
    } else {
      copy(text);
    }
  }
  template <class Text, class = std::enable_if_t<std::is_convertible_v<const Text &,
                                                                       std::string_view> &&
                                                 !std::is_convertible_v<const Text &,
                                                                        const char *>>>
  c_string(const Text &text) {
    copy(text);
  }
  c_string(std::nullptr_t) = delete; /* so that 0, as in value[0], does not mean NULL */
  c_string(const c_string &) = delete;
  c_string &operator=(const c_string &) = delete;

  const char *get() const noexcept { return text_; }

 private:
  /* A C string ends at a NUL, so a NUL becomes the bytes that stand for it in modified UTF-8. The
   * library rejects them as U+0000. */
  void copy(std::string_view text) {
    for (char c : text) {
      if (c == '\0') {
        copy_ += "\xC0\x80";
      } else {
        copy_ += c;
      }
    }
    text_ = copy_.c_str();
  }

  std::string copy_;
  const char *text_ = nullptr;
};

namespace detail {

inline void append_step(std::string &pointer, std::string_view key) {
  pointer += '/';
  for (char c : key) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
}

/* NULL becomes a byte that the library rejects as invalid UTF-8. */
inline void append_step(std::string &pointer, const char *key) {
  append_step(pointer, std::string_view(key ? key : "\xFF"));
}

template <class Integer, class = std::enable_if_t<is_integer<Integer>>>
void append_step(std::string &pointer, Integer index) {
  pointer += '/' + std::to_string(index);
}

inline const char *data(std::string_view text) noexcept { return text.data() ? text.data() : ""; }

/* Calls a C function that returns text and its length. */
template <class Call> result<text> obtain_text(Call &&call) {
  char *out = nullptr;
  std::size_t length = 0;
  imd_error failure;
  if (call(&out, &length, &failure) == IMD_OK) return text(out, length);
  return error(failure);
}
template <class Call> result<text> obtain_text(const subject &of, Call &&call) {
  if (!of.handle) return of.empty_error();
  return obtain_text(std::forward<Call>(call));
}

}  // namespace detail

/* Returns the JSON Pointer of some keys and indices: pointer("tasks", 3, "a/b") is
 * "/tasks/3/a~1b". Use it for keys that can contain "/" or "~". */
template <class... Steps> std::string pointer(const Steps &...steps) {
  static_assert(((detail::is_integer<Steps> || detail::is_text<Steps>) && ...),
                "a step of a JSON Pointer is a key, as text, or an index");
  std::string pointer;
  (detail::append_step(pointer, steps), ...);
  return pointer;
}

}  // namespace immutabledata

#endif
