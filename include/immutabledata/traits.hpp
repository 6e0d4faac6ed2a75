/* The C++ types that a value converts from. */
#ifndef IMMUTABLEDATA_TRAITS_HPP
#define IMMUTABLEDATA_TRAITS_HPP

#include "record.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

namespace immutabledata {

class text;

namespace detail {

template <class T>
inline constexpr bool is_character =
    std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char16_t> ||
#if defined(__cpp_char8_t)
    std::is_same_v<T, char8_t> ||
#endif
    std::is_same_v<T, char32_t>;

/* An integer of at most 64 bits. */
template <class T>
inline constexpr bool is_integer =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && !is_character<T> &&
    sizeof(T) <= sizeof(std::int64_t);

template <class T>
inline constexpr bool is_text = std::is_convertible_v<const T &, std::string_view> &&
                                !std::is_same_v<T, std::nullptr_t>;

template <class T>
inline constexpr bool is_scalar =
    std::is_same_v<T, std::nullptr_t> || std::is_same_v<T, bool> || is_integer<T> ||
    std::is_floating_point_v<T> || is_text<T>;

/* A container of keys and values, such as std::map. */
template <class T, class = void> inline constexpr bool has_keys = false;
template <class T>
inline constexpr bool has_keys<T, std::void_t<typename T::key_type, typename T::mapped_type>> =
    true;

/* A container of keys and values whose keys are text. */
template <class T, bool = has_keys<T>> inline constexpr bool is_map = false;
template <class T> inline constexpr bool is_map<T, true> = is_text<typename T::key_type>;

/* A container of elements, such as std::vector. */
template <class T, class = void> inline constexpr bool is_sequence = false;
template <class T>
inline constexpr bool is_sequence<T, std::void_t<typename T::value_type,
                                                 decltype(std::begin(std::declval<const T &>()))>> =
    !is_text<T> && !is_map<T>;
template <class T, std::size_t count>
inline constexpr bool is_sequence<T[count], void> = !is_text<T[count]>;

/* A type of the program, or one that holds another. */
template <class T>
inline constexpr bool is_typed = is_known<T> || is_optional<T>;

template <class T>
inline constexpr bool is_convertible_source = is_scalar<T> || is_map<T> || is_sequence<T> ||
                                              is_typed<T>;

/* Rejects types that only look convertible, with a message that says why they are not. */
template <class T> constexpr void check_source() {
  static_assert(!std::is_same_v<T, text>,
                "a text is either JSON or the content of a string: write "
                "value::parse(text) or value(text.view())");
  if constexpr (is_sequence<T>) {
    using element = std::decay_t<decltype(*std::begin(std::declval<const T &>()))>;
    static_assert(!std::is_same_v<element, T>,
                  "a sequence of itself, such as a std::filesystem::path, has no end: convert it "
                  "to text");
    static_assert(!is_character<element>,
                  "wide characters and containers of characters are not text: pass UTF-8 as a "
                  "std::string or std::string_view");
    static_assert(!has_keys<T>, "the keys of an object are text: convert them with std::to_string");
  }
}

}  // namespace detail
}  // namespace immutabledata

#endif
