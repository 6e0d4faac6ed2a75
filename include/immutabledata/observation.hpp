/* Observation of selectors. */
#ifndef IMMUTABLEDATA_OBSERVATION_HPP
#define IMMUTABLEDATA_OBSERVATION_HPP

#include "callback.hpp"
#include "cursor.hpp"

namespace immutabledata {

/* What an observer is called with. Valid until the observer returns. */
class delivery {
 public:
  delivery(const imd_delivery &borrowed, imd_observation *observation) noexcept
      : delivery_(borrowed), observation_(observation), value_(borrowed.value) {}

  imd_delivery_kind kind() const noexcept { return delivery_.kind; }

  /* The output or the patch; for a failure, an empty value. */
  const immutabledata::value &value() const noexcept { return value_.get(); }

  /* Why the selector failed; otherwise, an error with the status IMD_OK. */
  immutabledata::error error() const {
    return delivery_.error ? immutabledata::error(*delivery_.error)
                           : immutabledata::error(IMD_OK, "");
  }

  /* How many outputs were dropped since the last delivery. */
  std::size_t skipped() const noexcept { return delivery_.skipped; }

  /* Ends the observation: this call of the observer is the last. */
  void cancel() const noexcept { imd_observation_cancel(observation_); }

 private:
  const imd_delivery &delivery_;
  imd_observation *observation_;
  detail::borrowed value_;
};

/* An observation. Its destructor cancels it. */
class [[nodiscard]] observation {
 public:
  observation() = default;
  explicit observation(imd_observation *owned) noexcept : handle_(owned) {}

  /* Ends the observation. Outside callbacks, the observer has been destroyed when this returns;
   * inside one, an observer that is running is destroyed when it returns. */
  void cancel() noexcept { imd_observation_cancel(handle_.get()); }

  /* Lets the observation last as long as its store. */
  void detach() noexcept { static_cast<void>(handle_.release()); }

  imd_observation *handle() const noexcept { return handle_.get(); }

 private:
  std::unique_ptr<imd_observation, detail::closer<imd_observation_cancel>> handle_;
};

namespace detail {

/* The functions of an observer, its name in messages, and its handle, which is set before the first
 * call. The handle is shared: an observer that cancels itself in its first call is destroyed before
 * imd_store_observe_with_functions returns. */
template <class Observer, class Comparison, class Filter, class DependencyComparison>
struct observer_box {
  Observer observer;
  Comparison did_change;                      /* or nullptr */
  Filter filter;                              /* or nullptr */
  DependencyComparison dependency_did_change; /* or nullptr */
  std::string name;
  std::shared_ptr<imd_observation *> handle;
};

inline std::string observer_name(const char *selector) {
  return "observer of \"" + std::string(selector ? selector : "") + "\"";
}

/* Whether a type is that of a comparison or a filter with these parameters, or of nullptr. */
template <class Predicate, class... Values>
constexpr bool is_predicate =
    std::is_null_pointer_v<Predicate> || std::is_invocable_r_v<bool, Predicate &, Values...>;

template <class Comparison>
constexpr bool is_comparison = is_predicate<Comparison, const value &, const value &>;

template <class Filter>
constexpr bool is_filter = is_predicate<Filter, const value &, const value &, const value &>;

template <class Comparison>
constexpr bool is_dependency_comparison =
    is_predicate<Comparison, std::size_t, const value &, const value &>;

/* Calls a comparison or a filter. If it throws, the error handler gets the exception, and the
 * result is 1: no output is lost. */
template <class Predicate, class... Values>
int call_predicate(Predicate &predicate, const char *kind, const std::string &name,
                   const Values *...values) {
  bool returned = true;
  guard([&] { returned = static_cast<bool>(predicate(borrowed(values).get()...)); },
        [&](const error &thrown) { report(error(kind + (" of the " + name), thrown)); });
  return returned;
}

template <class Box>
int did_change(void *context, const imd_value *delivered, const imd_value *output) {
  auto &box = *static_cast<Box *>(context);
  return call_predicate(box.did_change, "comparison", box.name, delivered, output);
}

template <class Box>
int dependency_did_change(void *context, std::size_t index, const imd_value *last,
                          const imd_value *output) {
  auto &box = *static_cast<Box *>(context);
  auto compare = [&](const value &before, const value &after) {
    return box.dependency_did_change(index, before, after);
  };
  return call_predicate(compare, "comparison of dependencies", box.name, last, output);
}

template <class Box>
int passes(void *context, const imd_value *action, const imd_value *old_state,
           const imd_value *new_state) {
  auto &box = *static_cast<Box *>(context);
  return call_predicate(box.filter, "filter", box.name, action, old_state, new_state);
}

template <class Box> void observe(void *context, const imd_delivery *delivered) {
  auto &box = *static_cast<Box *>(context);
  guard(
      [&] {
        const delivery delivery(*delivered, *box.handle);
        if constexpr (std::is_invocable_v<decltype(box.observer) &, const class delivery &>) {
          box.observer(delivery);
        } else if (delivered->kind == IMD_DELIVERY_FAILURE) {
          report(error(box.name, delivery.error()));
        } else {
          box.observer(delivery.value());
        }
      },
      [&](const error &thrown) { report(error(box.name, thrown)); });
}

/* The C functions whose context is an observer_box. */
template <class Box> imd_observer_functions observer_functions() {
  imd_observer_functions functions{observe<Box>, nullptr, nullptr, nullptr};
  if constexpr (!std::is_null_pointer_v<decltype(Box::did_change)>)
    functions.did_change = did_change<Box>;
  if constexpr (!std::is_null_pointer_v<decltype(Box::filter)>) functions.filter = passes<Box>;
  if constexpr (!std::is_null_pointer_v<decltype(Box::dependency_did_change)>)
    functions.dependency_did_change = dependency_did_change<Box>;
  return functions;
}

}  // namespace detail
}  // namespace immutabledata

#endif
