/* Conversions of text and numbers that can fail. */
#ifndef IMMUTABLEDATA_CONVERSION_HPP
#define IMMUTABLEDATA_CONVERSION_HPP

#include "text.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace immutabledata::detail {

/* Returns a view of text; NULL is an error. */
template <class Text> result<std::string_view> to_view(const Text &text) {
  if constexpr (std::is_pointer_v<Text>) {
    if (!text) return error(IMD_INVALID_ARGUMENT, "the text is NULL; pass nullptr for JSON null");
  }
  return std::string_view(text);
}

/* Returns the name of an enumerator. */
template <class Enum> result<std::string_view> to_name(Enum source) {
  const std::string_view name = enumerator_name(source);
  if (!name.empty()) return name;
  using number = std::underlying_type_t<Enum>;
  return error(IMD_INVALID_ARGUMENT, "no enumerator of \"" + std::string(name_of<Enum>()) +
                                         "\" has the number " +
                                         std::to_string(static_cast<number>(source)) +
                                         "; add it to IMD_ENUM");
}

/* The error of an empty value that is an argument. */
inline error empty_argument(const std::string &noun) {
  return error(IMD_INVALID_ARGUMENT,
               noun + " is empty; for an empty object write imd::object(), "
                      "for an array imd::array()"
#if !IMMUTABLEDATA_EXCEPTIONS
                      "; imd::value::try_from says why a conversion failed"
#endif
  );
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

/* Converts a real number to another type, if its range suffices. */
template <class Real> result<Real> narrow_real(double real) {
  if constexpr (sizeof(Real) < sizeof(double)) {
    if (std::abs(real) > static_cast<double>(std::numeric_limits<Real>::max()))
      return error(IMD_LIMIT, "the number does not fit into the requested type; use a wider one");
  }
  return static_cast<Real>(real);
}

}  // namespace immutabledata::detail

#endif
