/* Selectors that are functions. */
#ifndef IMMUTABLEDATA_SELECTOR_HPP
#define IMMUTABLEDATA_SELECTOR_HPP

#include "callback.hpp"
#include "cursor.hpp"
#include "json.hpp"

namespace immutabledata::detail {

inline constexpr std::size_t max_selector_parameters = 16;

template <std::size_t> using selector_parameter = const value &;

template <class Function, std::size_t... index>
constexpr bool takes_values(std::index_sequence<index...>) {
  return std::is_invocable_v<const Function &, selector_parameter<index>...>;
}

/* How many const value & a function takes; 0 if it cannot be called with any number of them. */
template <class Function, std::size_t count = 1> constexpr std::size_t selector_parameters() {
  if constexpr (takes_values<Function>(std::make_index_sequence<count>())) {
    return count;
  } else if constexpr (count < max_selector_parameters) {
    return selector_parameters<Function, count + 1>();
  } else {
    return 0;
  }
}

template <class Function, std::size_t... index>
constexpr bool returns_value(std::index_sequence<index...>) {
  return std::is_invocable_r_v<result<value>, const Function &, selector_parameter<index>...>;
}

template <class Function> constexpr bool is_selector() {
  constexpr std::size_t count = selector_parameters<Function>();
  if constexpr (count == 0) {
    return false;
  } else {
    return returns_value<Function>(std::make_index_sequence<count>());
  }
}

/* The error of a function that has not one parameter for each input, and one for the arguments. The
 * library finds what else is wrong with the options. */
inline std::optional<error> check_parameters(const char *name, const json &options,
                                             std::size_t parameters) {
  const value read = options.data()
                         ? *value::try_parse(std::string_view(options.data(), options.size()))
                         : value();
  const value inputs = *read.try_at("/inputs"), arguments = *read.try_at("/arguments");
  if (inputs.has_value() && inputs.kind() != IMD_ARRAY) return std::nullopt;
  const std::size_t named = inputs.count() + read.contains("/each");
  const std::size_t count = named ? named : 1;
  if (parameters == count + (arguments.count() > 0)) return std::nullopt;
  return error(IMD_INVALID_ARGUMENT,
               "the selector \"" + std::string(name ? name : "") + "\": the function takes " +
                   std::to_string(parameters) + (parameters == 1 ? " value" : " values") +
                   ", but the selector has " + std::to_string(count) +
                   (count == 1 ? " input" : " inputs") +
                   (arguments.count() > 0 ? ", and one object of all arguments" : ""));
}

template <class Function, std::size_t... index>
result<value> call_selector(const Function &function, const borrowed *values,
                            std::index_sequence<index...>) {
  return function(values[index].get()...);
}

template <class Function>
imd_status select(void *context, const imd_value *const *inputs, std::size_t count,
                  const imd_value *arguments, imd_value **out, imd_error *failure) {
  return return_value(out, failure, [&]() -> result<value> {
    constexpr std::size_t parameters = selector_parameters<Function>();
    borrowed values[parameters];
    for (std::size_t i = 0; i < parameters; ++i)
      values[i] = borrowed(i < count ? inputs[i] : arguments);
    auto returned = call_selector(*static_cast<const Function *>(context), values,
                                  std::make_index_sequence<parameters>());
    if (returned && !returned->has_value())
      return error(IMD_INVALID_SELECTOR, "it returned an empty value; for null return nullptr");
    return returned;
  });
}

}  // namespace immutabledata::detail

#endif
