/* Reducers of functions that take typed actions. */
#ifndef IMMUTABLEDATA_REDUCER_HPP
#define IMMUTABLEDATA_REDUCER_HPP

#include "json.hpp"
#include "reading.hpp"

namespace immutabledata {

namespace detail {

/* The action that a function takes: its second parameter. */
template <class Function, class = void> struct parameter_of {};
template <class Returned, class Action>
struct parameter_of<Returned (*)(const value &, const Action &)> {
  using type = Action;
};
template <class Object, class Returned, class Action>
struct parameter_of<Returned (Object::*)(const value &, const Action &)> {
  using type = Action;
};
template <class Object, class Returned, class Action>
struct parameter_of<Returned (Object::*)(const value &, const Action &) const> {
  using type = Action;
};
template <class Function>
struct parameter_of<Function, std::void_t<decltype(&Function::operator())>>
    : parameter_of<decltype(&Function::operator())> {};

template <class... Functions> class action_reducer {
  static_assert(have_distinct_types<typename parameter_of<Functions>::type...>(),
                "two structs have the same type of action: give one a member action_type");

 public:
  explicit action_reducer(Functions... functions) : functions_(std::move(functions)...) {}

  result<value> operator()(const value &state, const value &action) {
    const auto type = action.try_view_string("/type");
    if (!type) return type.error();
    return call(*type, state, action, std::index_sequence_for<Functions...>());
  }

 private:
  template <class Function> using action_of = typename parameter_of<Function>::type;

  template <std::size_t... index>
  result<value> call(std::string_view type, const value &state, const value &action,
                     std::index_sequence<index...>) {
    std::optional<result<value>> next;
    const bool is_known =
        ((type == action_type<action_of<Functions>>() &&
          (next.emplace(call_one(std::get<index>(functions_), state, action)), true)) ||
         ...);
    if (is_known) return *std::move(next);
    std::string types;
    ((types += (types.empty() ? "\"" : ", \"") +
               std::string(action_type<action_of<Functions>>()) + '"'),
     ...);
    return error(IMD_INVALID_ACTION, "unknown action type \"" + std::string(type) +
                                         "\"; expected one of: " + types);
  }

  template <class Function>
  static result<value> call_one(Function &function, const value &state, const value &action) {
    using typed = action_of<Function>;
    if constexpr (part_count<typed> == 0) {
      return function(state, typed{});
    } else {
      const auto payload = read<typed>(action, "/payload");
      if (!payload) return payload.error();
      return function(state, *payload);
    }
  }

  std::tuple<Functions...> functions_;
};

}  // namespace detail

/* Makes a reducer of functions, each for the actions of one struct with IMD_TYPE:
 *
 *     auto store = imd::store::create(board{}, imd::reducer(
 *         [](const imd::value &state, const added &action) {
 *           return state.insert("/cards/-", action.card);
 *         },
 *         [](const imd::value &state, const removed &action) {
 *           return state.remove(imd::pointer("cards", action.index));
 *         }));
 *
 * A function returns what a reducer returns. It gets the payload as value::as reads it. The
 * dispatch fails if that cannot be read, or if no function takes the type of the action. */
template <class... Functions> auto reducer(Functions... functions) {
  return detail::action_reducer<Functions...>(std::move(functions)...);
}

}  // namespace immutabledata

#endif
