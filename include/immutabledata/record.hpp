/* Types of yours: structs as objects, and enumerations as strings. */
#ifndef IMMUTABLEDATA_RECORD_HPP
#define IMMUTABLEDATA_RECORD_HPP

#include "each.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/* IMD_TYPE(type, members...) makes a struct known, with up to 32 public members. Write it behind
 * the struct, in the same namespace:
 *
 *     struct added {
 *       std::string title;
 *       std::optional<int> priority;
 *     };
 *     IMD_TYPE(added, title, priority)
 *
 * It is then an object wherever JSON is taken, and store::dispatch takes it as an action. A member
 * is a bool, a number, a std::string, a value, another known type, or a std::optional, a container
 * or a map with text as keys of these. An empty std::optional is left out in an object, and null
 * elsewhere. The struct must have a default constructor.
 *
 * As an action, its type is its name, or what it has as action_type:
 *
 *     struct added {
 *       static constexpr auto action_type = "tasks/added"; … */
#define IMD_TYPE(...) \
  [[maybe_unused]] constexpr auto imd_describe( \
      ::immutabledata::detail::tag<IMD_FIRST(__VA_ARGS__, )>) { \
    return ::std::make_tuple(IMD_EACH(IMD_FIELD, __VA_ARGS__)); \
  }

/* IMD_ENUM(type, enumerators...) makes an enumeration known, with up to 32 enumerators. It is a
 * string with the name of the enumerator. */
#define IMD_ENUM(...) \
  [[maybe_unused]] constexpr auto imd_describe( \
      ::immutabledata::detail::tag<IMD_FIRST(__VA_ARGS__, )>) { \
    return ::std::make_tuple(IMD_EACH(IMD_ENUMERATOR, __VA_ARGS__)); \
  }

namespace immutabledata {

class value;

namespace detail {

template <class T> struct tag {};

template <class Record, class Member> struct field {
  const char *name;
  Member Record::*member;
};

template <class Enum> struct enumerator {
  const char *name;
  Enum value;
};

/* The name of a type without its namespace. */
constexpr std::string_view type_name(std::string_view name) {
  const auto colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

/* Whether a type has IMD_TYPE or IMD_ENUM; not of a class whose base has one. */
template <class T, class = void> inline constexpr bool is_known = false;
template <class T>
inline constexpr bool is_known<T, std::void_t<decltype(imd_describe(tag<T>()))>> = true;

template <class T> inline constexpr bool is_record = is_known<T> && std::is_class_v<T>;
template <class T> inline constexpr bool is_known_enum = is_known<T> && std::is_enum_v<T>;

template <class T> inline constexpr bool is_optional = false;
template <class T> inline constexpr bool is_optional<std::optional<T>> = true;

/* How many members or enumerators a known type has. */
template <class T>
inline constexpr std::size_t part_count =
    std::tuple_size_v<decltype(imd_describe(tag<T>()))> - 1;

template <class T> constexpr std::string_view name_of() {
  return std::get<part_count<T>>(imd_describe(tag<T>()));
}

template <class Parts, class Visit, std::size_t... index>
constexpr void visit_each(const Parts &parts, Visit &&visit, std::index_sequence<index...>) {
  static_cast<void>(parts);
  static_cast<void>(visit);
  (visit(std::get<index>(parts)), ...);
}

/* Calls a function with each field or enumerator of a known type. */
template <class T, class Visit> constexpr void visit_parts(Visit &&visit) {
  visit_each(imd_describe(tag<T>()), visit, std::make_index_sequence<part_count<T>>());
}

/* The name of an enumerator; empty for a number that is none. */
template <class Enum> std::string_view enumerator_name(Enum value) {
  std::string_view name;
  visit_parts<Enum>([&](const enumerator<Enum> &each) {
    if (each.value == value && name.empty()) name = each.name;
  });
  return name;
}

template <class T, class = void> struct type_of_action {
  static constexpr std::string_view get() { return name_of<T>(); }
};
template <class T> struct type_of_action<T, std::void_t<decltype(T::action_type)>> {
  static constexpr std::string_view get() { return T::action_type; }
};

}  // namespace detail

/* Returns the type of the actions that a struct with IMD_TYPE makes. */
template <class Action> constexpr std::string_view action_type() {
  static_assert(detail::is_record<Action>, "write IMD_TYPE behind the struct of the action");
  return detail::type_of_action<Action>::get();
}

namespace detail {

template <class... Actions>
inline constexpr bool are_records = sizeof...(Actions) > 0 && (is_record<Actions> && ...);

/* Whether no two structs make actions of the same type. */
template <class... Actions> constexpr bool have_distinct_types() {
  const std::string_view types[] = {action_type<Actions>()..., {}};
  for (std::size_t i = 0; i < sizeof...(Actions); i++)
    for (std::size_t j = 0; j < i; j++)
      if (types[i] == types[j]) return false;
  return true;
}

}  // namespace detail

}  // namespace immutabledata

#endif
