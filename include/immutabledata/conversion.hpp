/* Which C++ types a value converts from. */
#ifndef IMMUTABLEDATA_CONVERSION_HPP
#define IMMUTABLEDATA_CONVERSION_HPP

#include "text.hpp"

#include <cstdint>
#include <iterator>
#include <limits>

namespace immutabledata::detail {

template <class T>
inline constexpr bool is_character =
    std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char16_t> ||
#if defined(__cpp_char8_t)
    std::is_same_v<T, char8_t> ||
#endif
    std::is_same_v<T, char32_t>;

template <class T>
inline constexpr bool is_integer =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && !is_character<T>;

template <class T>
inline constexpr bool is_text = std::is_convertible_v<const T &, std::string_view> &&
                                !std::is_same_v<T, std::nullptr_t>;

template <class T>
inline constexpr bool is_scalar =
    std::is_same_v<T, std::nullptr_t> || std::is_same_v<T, bool> || is_integer<T> ||
    std::is_floating_point_v<T> || is_text<T>;

/* A container of key and value, such as std::map, whose keys are text. */
template <class T, class = void> inline constexpr bool is_map = false;
template <class T>
inline constexpr bool is_map<T, std::void_t<typename T::key_type, typename T::mapped_type>> =
    is_text<typename T::key_type>;

/* A container of elements, such as std::vector. */
template <class T, class = void> inline constexpr bool is_sequence = false;
template <class T>
inline constexpr bool is_sequence<T, std::void_t<typename T::value_type,
                                                 decltype(std::begin(std::declval<const T &>()))>> =
    !is_text<T> && !is_map<T>;
template <class T, std::size_t count>
inline constexpr bool is_sequence<T[count], void> = !is_text<T[count]>;

/* Returns a view of text; NULL is an error. */
template <class Text> result<std::string_view> to_view(const Text &text) {
  if constexpr (std::is_pointer_v<Text>) {
    if (!text) return error(IMD_INVALID_ARGUMENT, "the text is NULL; pass nullptr for JSON null");
  }
  return std::string_view(text);
}

/* Converts an integer to 64 bits. */
template <class Integer> result<std::int64_t> to_int64(Integer integer) {
  if constexpr (std::is_unsigned_v<Integer>) {
    if (integer > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return error(IMD_LIMIT, "the integer " + std::to_string(integer) +
                                  " is out of range; an integer is at most 9223372036854775807");
  }
  return static_cast<std::int64_t>(integer);
}

/* Converts a 64-bit integer to another type, if it fits. */
template <class Integer> result<Integer> narrow(std::int64_t integer) {
  const auto narrowed = static_cast<Integer>(integer);
  if (static_cast<std::int64_t>(narrowed) != integer || (narrowed < 0) != (integer < 0))
    return error(IMD_LIMIT, "the integer " + std::to_string(integer) +
                                " does not fit into the requested type; use a wider one");
  return narrowed;
}

}  // namespace immutabledata::detail

#endif
