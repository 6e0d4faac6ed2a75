/* Stores. */
#ifndef IMMUTABLEDATA_STORE_HPP
#define IMMUTABLEDATA_STORE_HPP

#include "effects.hpp"
#include "history.hpp"
#include "program_effects.hpp"
#include "json.hpp"
#include "observation.hpp"
#include "selector.hpp"
#include "stream.hpp"

namespace immutabledata {

namespace detail {

template <class Reducer>
imd_status reduce(void *context, const imd_value *state, const imd_value *action, imd_value **next,
                  imd_error *failure) {
  return return_value(next, failure, [&]() -> result<value> {
    const borrowed old_state(state), dispatched(action);
    return (*static_cast<Reducer *>(context))(old_state.get(), dispatched.get());
  });
}

}  // namespace detail

/* What actions would do. */
struct preview {
  value state; /* after the actions */
  text patch;  /* a JSON Patch that makes it of the state before them */
};

/* Holds a state, which only the reducer of the store can replace. The destructor closes the
 * store. */
class [[nodiscard]] store {
 public:
  store() = default;
  explicit store(imd_store *owned) noexcept : handle_(owned) {}

#if IMMUTABLEDATA_EXCEPTIONS
  /* Opens a store of a domain: store::open("counter", {{"state", {{"value", 40}}}}). */
  static store open(const c_string &domain, const json &options = {}) {
    return try_open(domain, options).value();
  }

  /* Creates a store with a state and a reducer of your own:
   *
   *     value reducer(const value &state, const value &action)
   *
   * It returns the next state; an empty value, value(), means that the state does not change. To
   * reject the action it throws, or returns an error as a result<value>: the dispatch then fails
   * with IMD_REDUCER_FAILED and the message, which is cut to 255 bytes, and the state does not
   * change. A reducer must be pure, and must not use its store or dispatch to any store. */
  template <class Reducer>
  static store create(const json &state, Reducer &&reducer, const json &options = {}) {
    return try_create(state, std::forward<Reducer>(reducer), options).value();
  }

  /* Dispatches an action: {"type": "…", "payload": …, "meta": {…}}. */
  void dispatch(const json &action) { try_dispatch(action).value(); }

  /* Dispatches the action of a struct with IMD_TYPE: {"type": its name, "payload": its members}. */
  template <class Action, std::enable_if_t<detail::is_record<Action>, int> = 0>
  void dispatch(const Action &action) {
    try_dispatch(action).value();
  }

  /* Dispatches an array of actions: all or, if one fails, none. */
  void dispatch_batch(const json &actions) { try_dispatch_batch(actions).value(); }

  /* Dispatches the actions of structs with IMD_TYPE: dispatch_batch(added{…}, moved{…}). */
  template <class... Actions, std::enable_if_t<detail::are_records<Actions...>, int> = 0>
  void dispatch_batch(const Actions &...actions) {
    try_dispatch_batch(actions...).value();
  }

  /* Dispatches an action without waiting, also in a callback: a thread of the store does it, after
   * those that came before, and then calls done. See imd_store_dispatch_async.
   *
   *     void done(const result<void> &outcome) */
  void dispatch_async(const json &action) { try_dispatch_async(action).value(); }
  template <class Done> void dispatch_async(const json &action, Done &&done) {
    try_dispatch_async(action, std::forward<Done>(done)).value();
  }

  /* Returns the output of a selector as JSON text; value::parse reads it. */
  text select(const c_string &selector, const json &arguments = {}) const {
    return try_select(selector, arguments).value();
  }

  /* Evaluates a JMESPath expression; returns JSON text. */
  text query(const c_string &expression, const json &arguments = {}) const {
    return try_query(expression, arguments).value();
  }

  /* The same functions for values: no text is written or read. Arguments and options may be empty;
   * options: {"budget": N}. While an output is cached, every call returns the same instance, in
   * O(1). */
  void dispatch_value(const value &action) { try_dispatch_value(action).value(); }
  void dispatch_batch_value(const value &actions) { try_dispatch_batch_value(actions).value(); }
  value select_value(const c_string &selector, const value &arguments = {},
                     const value &options = {}) const {
    return try_select_value(selector, arguments, options).value();
  }
  value query_value(const c_string &expression, const value &arguments = {},
                    const value &options = {}) const {
    return try_query_value(expression, arguments, options).value();
  }

  /* Names an expression. */
  void define_selector(const c_string &name, const c_string &expression) {
    try_define_selector(name, expression).value();
  }

  /* Returns what is probably a mistake in an expression, as a JSON array of sentences. */
  text check_expression(const c_string &expression) const {
    return try_check_expression(expression).value();
  }

  /* Names a function of its inputs, which options names: {{"inputs", array({"items", "rate"})}}.
   *
   *     value total(const value &items, const value &rate)
   *
   * It takes a const value & for each input, at most 16, in the order of the options, and returns
   * the output. If the options name arguments, a further const value & is the object of these. It
   * throws, or returns an error as a result<value>: the evaluation then fails with
   * IMD_INVALID_SELECTOR. It must be pure, and must not use its store or dispatch to any. It may
   * run on several threads at once, so it must not be a mutable lambda. See
   * imd_store_define_function. */
  template <class Function>
  void define_function(const c_string &name, const json &options, Function &&function) {
    try_define_function(name, options, std::forward<Function>(function)).value();
  }

  /* Describes the store and its selectors, as JSON text. */
  text describe() const { return try_describe().value(); }

  /* Returns a snapshot of the state. */
  value state() const { return try_state().value(); }

  /* Returns a snapshot of the state without the optimistic updates in flight: the state to save. */
  value confirmed_state() const { return try_confirmed_state().value(); }

  /* Returns what an array of actions would do: the state, and the JSON Patch that leads there.
   * Nothing is committed. */
  immutabledata::preview preview(const json &actions) const { return try_preview(actions).value(); }

  /* Returns the counters of the store, as JSON text. */
  text statistics() const { return try_statistics().value(); }

  /* Copies the database of the store to a new file. */
  void backup(const c_string &path) const { try_backup(path).value(); }

  /* Undoes steps of a store with the option "history"; returns how many: 0 if there was nothing to
   * undo. See imd_store_undo. */
  std::size_t undo(std::size_t steps = 1) { return try_undo(steps).value(); }

  /* Redoes steps; returns how many. */
  std::size_t redo(std::size_t steps = 1) { return try_redo(steps).value(); }

  /* Shows the state after the step with a number. */
  void travel(std::size_t number) { try_travel(number).value(); }

  /* Makes all actions one step until the group is destroyed. Groups nest. With
   * on_exception::cancel, an exception gives up the group: the state is the one before it. */
  immutabledata::group group(on_exception behavior = on_exception::end) {
    return try_group(behavior).value();
  }

  /* Declares that the program has saved what is shown. */
  void mark_clean() { try_mark_clean().value(); }

  /* Returns the steps, as JSON text. options: {{"from", 0}, {"count", 10}, {"patches", true}}. */
  text history(const json &options = {}) const { return try_history(options).value(); }

  /* Returns the commits that changed the value at a JSON Pointer, as JSON text, newest first.
   * options: {{"count", 10}}. */
  text blame(const c_string &pointer, const json &options = {}) const {
    return try_blame(pointer, options).value();
  }

  /* Waits until all commits of a store with the option "log" are on the disk. If the file could not
   * be written, writes what is missing, and dispatches continue. See imd_store_sync. */
  void sync(std::chrono::milliseconds timeout = forever) { try_sync(timeout).value(); }

  /* Brings a store with a log that is "readOnly" to what the file has now. */
  void refresh() { try_refresh().value(); }

  /* Repeats the log of the store from its base, and compares the states; returns JSON text.
   * progress is a function as of log::verify. See imd_store_replay. */
  template <class Progress = std::nullptr_t> text replay(Progress progress = {}) const {
    return try_replay(std::move(progress)).value();
  }

  template <class Progress = std::nullptr_t> value replay_value(Progress progress = {}) const {
    return try_replay_value(std::move(progress)).value();
  }

  /* Calls an observer whenever the output of a selector changes, until the observation is destroyed
   * or the store is closed. The observer takes one of:
   *
   *     const delivery &   outputs, patches and failures
   *     const value &      outputs and patches; the error handler gets the failures
   *
   * It cannot veto: it runs after the commit, perhaps on another thread and for the action of
   * another dispatch. So an exception is passed to the error handler, not to the dispatch, and the
   * observation continues. See set_error_handler.
   *
   * Comparisons and a filter, or nullptr, decide when it is called:
   *
   *     bool did_change(const value &delivered, const value &output)
   *     bool filter(const value &action, const value &old_state, const value &new_state)
   *     bool dependency_did_change(std::size_t index, const value &last, const value &output)
   *
   * See imd_comparison, imd_filter and imd_dependency_comparison. If one throws, the error handler
   * gets the exception, and the result is true. */
  template <class Observer, class Comparison = std::nullptr_t, class Filter = std::nullptr_t,
            class DependencyComparison = std::nullptr_t>
  observation observe(const c_string &selector, Observer &&observer, const json &arguments = {},
                      const json &options = {}, Comparison did_change = {}, Filter filter = {},
                      DependencyComparison dependency_did_change = {}) {
    return try_observe(selector, std::forward<Observer>(observer), arguments, options,
                       std::move(did_change), std::move(filter), std::move(dependency_did_change))
        .value();
  }

  /* Calls the queued observers; returns the number of calls. */
  std::size_t poll() { return try_poll().value(); }

  /* A descriptor that is readable while an output waits for poll. Do not close it. */
  int fd() const { return try_fd().value(); }

  /* Opens a stream of the actions that are dispatched from now on. */
  immutabledata::stream stream(const json &options = {}) { return try_stream(options).value(); }

  /* Sets the function that performs HTTP requests; nullptr removes it:
   *
   *     void fetch(request request, request_info info)
   *
   * It should return immediately. Respond from any thread, even before the function returns. If it
   * throws, the request is rejected with the message, and the error handler gets the exception. */
  template <class Fetch> void set_fetch(Fetch &&fetch) {
    try_set_fetch(std::forward<Fetch>(fetch)).value();
  }

  /* Sets the function that performs the effects with a name; nullptr removes it:
   *
   *     void function(effect effect, value arguments)
   *
   * It must return immediately; end the effect on any thread. If it throws, the effect is rejected
   * with the message, and the error handler gets the exception. */
  template <class Function> void set_effect(const c_string &name, Function &&function) {
    try_set_effect(name, std::forward<Function>(function)).value();
  }

  /* Sets the rule of a store with your own reducer; nullptr removes it:
   *
   *     value rule(const value &action, const value &old_state, const value &new_state)
   *
   * It returns the effects that the action asks for, as imd_rule describes; an empty value for
   * none. If it throws, returns an error as a result<value>, or dispatches, that counts as a failed
   * effect. */
  template <class Rule> void set_rule(Rule &&rule) {
    try_set_rule(std::forward<Rule>(rule)).value();
  }

  /* Sets the function that is called for each failed effect, and when a log is followed no longer;
   * nullptr removes it:
   *
   *     void handler(const error &error) */
  template <class Handler> void set_effect_error_handler(Handler &&handler) {
    try_set_effect_error_handler(std::forward<Handler>(handler)).value();
  }

  /* Sets the function that gets the trace of the store, instead of stderr or a file; nullptr
   * removes it:
   *
   *     void function(std::string_view line)
   *
   * A line is a JSON object without a line feed, valid during the call. The function may run on
   * several threads at once, so it must not be a mutable lambda. If it throws, the error handler
   * gets the exception. See imd_store_set_trace. */
  template <class Function> void set_trace(Function &&function) {
    try_set_trace(std::forward<Function>(function)).value();
  }

  /* Waits until observers, queued outputs and the readers of streams with {"flush": true} have
   * handled everything so far. */
  void flush(std::chrono::milliseconds timeout = forever) { try_flush(timeout).value(); }

  /* Waits until no effect is in flight. */
  void settle(std::chrono::milliseconds timeout = forever) { try_settle(timeout).value(); }

  /* Moves the clock of a store with the option "clock"; see imd_store_advance. */
  void advance(std::chrono::milliseconds time) { try_advance(time).value(); }

  /* Dispatches the outcome that has waited longest, and returns how many waited; see
   * imd_store_receive. */
  std::size_t receive() { return try_receive().value(); }
  void set_dispatch_timeout(std::chrono::milliseconds timeout) {
    try_set_dispatch_timeout(timeout).value();
  }
#endif

  /* The same functions, which return a result. */
  static result<store> try_open(const c_string &domain, const json &options = {}) {
    if (options.failure()) return *options.failure();
    return detail::obtain<store, imd_store *>([&](imd_store **out, imd_error *error) {
      return imd_store_open(domain.get(), options.data(), options.size(), out, error);
    });
  }

  template <class Reducer>
  static result<store> try_create(const json &state, Reducer &&reducer,
                                  const json &options = {}) {
    static_assert(std::is_invocable_r_v<result<value>, std::decay_t<Reducer> &, const value &,
                                        const value &>,
                  "a reducer takes two const value & and returns a value or a result<value>");
    if (const auto failure = state.failure("the state")) return *failure;
    if (options.failure()) return *options.failure();
    return detail::obtain<store, imd_store *>([&](imd_store **out, imd_error *error) {
      return detail::pass_callback(
          std::forward<Reducer>(reducer), [&](void *context, void (*release)(void *)) {
            return imd_store_create(state.data(), state.size(),
                                    detail::reduce<std::decay_t<Reducer>>, context, release,
                                    options.data(), options.size(), out, error);
          });
    });
  }

  result<void> try_dispatch(const json &action) {
    if (const auto failure = action.failure("the action")) return *failure;
    return detail::attempt(self(), [&](imd_error *error) {
      return imd_store_dispatch(handle(), action.data(), action.size(), error);
    });
  }

  template <class Action, std::enable_if_t<detail::is_record<Action>, int> = 0>
  result<void> try_dispatch(const Action &action) {
    return try_dispatch(json::action(action));
  }

  result<void> try_dispatch_batch(const json &actions) {
    if (const auto failure = actions.failure("the array of actions")) return *failure;
    return detail::attempt(self(), [&](imd_error *error) {
      return imd_store_dispatch_batch(handle(), actions.data(), actions.size(), error);
    });
  }

  result<void> try_dispatch_async(const json &action) {
    return try_dispatch_async(action, [](const result<void> &) {});
  }

  template <class Done> result<void> try_dispatch_async(const json &action, Done &&done) {
    static_assert(std::is_invocable_v<std::decay_t<Done> &, const result<void> &>,
                  "the function takes a const result<void> &");
    if (const auto failure = action.failure("the action")) return *failure;
    return detail::attempt(self(), [&](imd_error *error) {
      return detail::pass_callback(
          std::forward<Done>(done), [&](void *context, void (*)(void *)) {
            return imd_store_dispatch_async(handle(), action.data(), action.size(),
                                            detail::end_dispatch<std::decay_t<Done>>, context,
                                            error);
          });
    });
  }

  template <class... Actions, std::enable_if_t<detail::are_records<Actions...>, int> = 0>
  result<void> try_dispatch_batch(const Actions &...actions) {
    return try_dispatch_batch(json::batch(actions...));
  }

  result<text> try_select(const c_string &selector, const json &arguments = {}) const {
    return evaluate(imd_store_select, selector, arguments);
  }

  result<text> try_query(const c_string &expression, const json &arguments = {}) const {
    return evaluate(imd_store_query, expression, arguments);
  }

  result<void> try_dispatch_value(const value &action) {
    if (!action.has_value()) return detail::empty_argument("the action");
    return detail::attempt(self(), [&](imd_error *error) {
      return imd_store_dispatch_value(handle(), action.handle(), error);
    });
  }

  result<void> try_dispatch_batch_value(const value &actions) {
    if (!actions.has_value()) return detail::empty_argument("the array of actions");
    return detail::attempt(self(), [&](imd_error *error) {
      return imd_store_dispatch_batch_value(handle(), actions.handle(), error);
    });
  }

  result<value> try_select_value(const c_string &selector, const value &arguments = {},
                                 const value &options = {}) const {
    return evaluate_value(imd_store_select_value, selector, arguments, options);
  }

  result<value> try_query_value(const c_string &expression, const value &arguments = {},
                                const value &options = {}) const {
    return evaluate_value(imd_store_query_value, expression, arguments, options);
  }

  result<void> try_define_selector(const c_string &name, const c_string &expression) {
    return detail::attempt(self(), [&](imd_error *error) {
      return imd_store_define_selector(handle(), name.get(), expression.get(), error);
    });
  }

  result<text> try_check_expression(const c_string &expression) const {
    return detail::obtain_text(self(), [&](char **out, std::size_t *length, imd_error *error) {
      return imd_store_check_expression(handle(), expression.get(), out, length, error);
    });
  }

  template <class Function>
  result<void> try_define_function(const c_string &name, const json &options,
                                   Function &&function) {
    using Stored = std::decay_t<Function>;
    static_assert(detail::is_selector<Stored>(),
                  "a selector takes a const value & for each input, at most 16, returns a value or "
                  "a result<value>, and is not a mutable lambda");
    if (options.failure()) return *options.failure();
    if (auto failure = detail::check_parameters(name.get(), options,
                                                detail::selector_parameters<Stored>()))
      return *std::move(failure);
    return detail::attempt(self(), [&](imd_error *error) {
      return detail::pass_callback(
          std::forward<Function>(function), [&](void *context, void (*release)(void *)) {
            return imd_store_define_function(handle(), name.get(), options.data(), options.size(),
                                             detail::select<Stored>, context, release, error);
          });
    });
  }

  result<text> try_describe() const {
    return detail::obtain_text(self(), [&](char **out, std::size_t *length, imd_error *error) {
      return imd_store_describe(handle(), out, length, error);
    });
  }

  result<value> try_state() const {
    return detail::obtain<value, imd_value *>(self(), [&](imd_value **out, imd_error *error) {
      return imd_store_state(handle(), out, error);
    });
  }

  result<value> try_confirmed_state() const {
    return detail::obtain<value, imd_value *>(self(), [&](imd_value **out, imd_error *error) {
      return imd_store_confirmed_state(handle(), out, error);
    });
  }

  result<immutabledata::preview> try_preview(const json &actions) const {
    if (const auto failure = actions.failure("the array of actions")) return *failure;
    imd_value *state = nullptr;
    auto patch = detail::obtain_text(self(), [&](char **out, std::size_t *size, imd_error *error) {
      return imd_store_preview(handle(), actions.data(), actions.size(), &state, out, size, error);
    });
    if (!patch) return patch.error();
    return immutabledata::preview{value(state), *std::move(patch)};
  }

  result<text> try_statistics() const {
    return detail::obtain_text(self(), [&](char **out, std::size_t *length, imd_error *error) {
      return imd_store_statistics(handle(), out, length, error);
    });
  }

  result<void> try_backup(const c_string &path) const {
    return detail::attempt(
        self(), [&](imd_error *error) { return imd_store_backup(handle(), path.get(), error); });
  }

  result<std::size_t> try_undo(std::size_t steps = 1) {
    return detail::obtain<std::size_t, std::size_t>(
        self(), [&](std::size_t *taken, imd_error *error) {
          return imd_store_undo(handle(), steps, taken, error);
        });
  }

  result<std::size_t> try_redo(std::size_t steps = 1) {
    return detail::obtain<std::size_t, std::size_t>(
        self(), [&](std::size_t *taken, imd_error *error) {
          return imd_store_redo(handle(), steps, taken, error);
        });
  }

  result<void> try_travel(std::size_t number) {
    return detail::attempt(self(), [&](imd_error *error) {
      return imd_store_travel(handle(), number, error);
    });
  }

  result<immutabledata::group> try_group(on_exception behavior = on_exception::end) {
    const auto begun = detail::attempt(
        self(), [&](imd_error *error) { return imd_store_begin_group(handle(), error); });
    if (!begun) return begun.error();
    return immutabledata::group(handle(), behavior);
  }

  result<void> try_mark_clean() {
    return detail::attempt(
        self(), [&](imd_error *error) { return imd_store_mark_clean(handle(), error); });
  }

  result<text> try_history(const json &options = {}) const {
    if (options.failure()) return *options.failure();
    return detail::obtain_text(self(), [&](char **out, std::size_t *length, imd_error *error) {
      return imd_store_history(handle(), options.data(), options.size(), out, length, error);
    });
  }

  result<text> try_blame(const c_string &pointer, const json &options = {}) const {
    if (options.failure()) return *options.failure();
    return detail::obtain_text(self(), [&](char **out, std::size_t *length, imd_error *error) {
      return imd_store_blame(handle(), pointer.get(), options.data(), options.size(), out, length,
                             error);
    });
  }

  result<value> try_blame_value(const c_string &pointer, const json &options = {}) const {
    if (options.failure()) return *options.failure();
    return detail::obtain<value, imd_value *>(self(), [&](imd_value **out, imd_error *error) {
      return imd_store_blame_value(handle(), pointer.get(), options.data(), options.size(), out,
                                   error);
    });
  }

  result<void> try_sync(std::chrono::milliseconds timeout = forever) {
    return detail::attempt(self(), [&](imd_error *error) {
      return imd_store_sync(handle(), detail::to_timeout(timeout), error);
    });
  }

  result<void> try_refresh() {
    return detail::attempt(
        self(), [&](imd_error *error) { return imd_store_refresh(handle(), error); });
  }

  template <class Progress = std::nullptr_t>
  result<text> try_replay(Progress progress = {}) const {
    detail::progress<Progress> watch(progress);
    return watch.end(
        detail::obtain_text(self(), [&](char **out, std::size_t *length, imd_error *error) {
          return imd_store_replay(handle(), watch.function(), &watch, out, length, error);
        }));
  }

  template <class Progress = std::nullptr_t>
  result<value> try_replay_value(Progress progress = {}) const {
    detail::progress<Progress> watch(progress);
    return watch.end(detail::obtain<value, imd_value *>(
        self(), [&](imd_value **out, imd_error *error) {
          return imd_store_replay_value(handle(), watch.function(), &watch, out, error);
        }));
  }

  template <class Observer, class Comparison = std::nullptr_t, class Filter = std::nullptr_t,
            class DependencyComparison = std::nullptr_t>
  result<observation> try_observe(const c_string &selector, Observer &&observer,
                                  const json &arguments = {}, const json &options = {},
                                  Comparison did_change = {}, Filter filter = {},
                                  DependencyComparison dependency_did_change = {}) {
    using Stored = std::decay_t<Observer>;
    using Box = detail::observer_box<Stored, Comparison, Filter, DependencyComparison>;
    static_assert(std::is_invocable_v<Stored &, const delivery &> ||
                      std::is_invocable_v<Stored &, const value &>,
                  "an observer takes a const delivery & or a const value &");
    static_assert(detail::is_comparison<Comparison>,
                  "a comparison takes two const value & and returns a bool");
    static_assert(detail::is_filter<Filter>,
                  "a filter takes three const value & and returns a bool");
    static_assert(detail::is_dependency_comparison<DependencyComparison>,
                  "a comparison of dependencies takes a std::size_t and two const value &, and "
                  "returns a bool");
    if (arguments.failure()) return *arguments.failure();
    if (options.failure()) return *options.failure();
    auto observed = std::make_shared<imd_observation *>(nullptr);
    Box box{std::forward<Observer>(observer),
            std::move(did_change),
            std::move(filter),
            std::move(dependency_did_change),
            detail::observer_name(selector.get()),
            observed};
    const imd_observer_functions functions = detail::observer_functions<Box>();
    auto ended = detail::attempt(self(), [&](imd_error *error) {
      return detail::pass_callback(std::move(box), [&](void *context, void (*release)(void *)) {
        return imd_store_observe_with_functions(
            handle(), selector.get(), arguments.data(), arguments.size(), options.data(),
            options.size(), &functions, context, release, observed.get(), error);
      });
    });
    if (!ended) return ended.error();
    return observation(*observed);
  }

  result<std::size_t> try_poll() {
    return detail::obtain<std::size_t, std::size_t>(
        self(), [&](std::size_t *out, imd_error *error) {
          return imd_store_poll(handle(), out, error);
        });
  }

  result<int> try_fd() const {
    return detail::obtain<int, int>(
        self(), [&](int *out, imd_error *error) { return imd_store_fd(handle(), out, error); });
  }

  result<immutabledata::stream> try_stream(const json &options = {}) {
    if (options.failure()) return *options.failure();
    return detail::obtain<immutabledata::stream, imd_stream *>(
        self(), [&](imd_stream **out, imd_error *error) {
          return imd_store_stream(handle(), options.data(), options.size(), out, error);
        });
  }

  template <class Fetch> result<void> try_set_fetch(Fetch &&fetch) {
    static_assert(std::is_invocable_v<std::decay_t<Fetch> &, request, request_info>,
                  "a fetch function takes a request and a request_info");
    return detail::attempt(self(), [&](imd_error *error) {
      return detail::pass_callback(
          std::forward<Fetch>(fetch), [&](void *context, void (*release)(void *)) {
            return imd_store_set_fetch(handle(), detail::fetch<std::decay_t<Fetch>>, context,
                                       release, error);
          });
    });
  }
  result<void> try_set_fetch(std::nullptr_t) {
    return detail::attempt(self(), [&](imd_error *error) {
      return imd_store_set_fetch(handle(), nullptr, nullptr, nullptr, error);
    });
  }

  template <class Function> result<void> try_set_effect(const c_string &name, Function &&function) {
    using Box = detail::effect_box<std::decay_t<Function>>;
    static_assert(std::is_invocable_v<std::decay_t<Function> &, effect, value>,
                  "a function of an effect takes an effect and a value");
    const char *text = name.get();
    Box box{std::forward<Function>(function), text ? text : ""};
    return detail::attempt(self(), [&](imd_error *error) {
      return detail::pass_callback(std::move(box), [&](void *context, void (*release)(void *)) {
        return imd_store_set_effect(handle(), text, Box::perform, context, release, error);
      });
    });
  }
  result<void> try_set_effect(const c_string &name, std::nullptr_t) {
    return detail::attempt(self(), [&](imd_error *error) {
      return imd_store_set_effect(handle(), name.get(), nullptr, nullptr, nullptr, error);
    });
  }

  template <class Rule> result<void> try_set_rule(Rule &&rule) {
    static_assert(std::is_invocable_r_v<result<value>, std::decay_t<Rule> &, const value &,
                                        const value &, const value &>,
                  "a rule takes three const value & and returns a value or a result<value>");
    return detail::attempt(self(), [&](imd_error *error) {
      return detail::pass_callback(
          std::forward<Rule>(rule), [&](void *context, void (*release)(void *)) {
            return imd_store_set_rule(handle(), detail::run_rule<std::decay_t<Rule>>, context,
                                      release, error);
          });
    });
  }
  result<void> try_set_rule(std::nullptr_t) {
    return detail::attempt(self(), [&](imd_error *error) {
      return imd_store_set_rule(handle(), nullptr, nullptr, nullptr, error);
    });
  }

  template <class Handler> result<void> try_set_effect_error_handler(Handler &&handler) {
    static_assert(std::is_invocable_v<std::decay_t<Handler> &, const error &>,
                  "an effect error handler takes a const error &");
    return detail::attempt(self(), [&](imd_error *error) {
      return detail::pass_callback(
          std::forward<Handler>(handler), [&](void *context, void (*release)(void *)) {
            return imd_store_set_effect_error_handler(
                handle(), detail::handle_error<std::decay_t<Handler>>, context, release, error);
          });
    });
  }
  result<void> try_set_effect_error_handler(std::nullptr_t) {
    return detail::attempt(self(), [&](imd_error *error) {
      return imd_store_set_effect_error_handler(handle(), nullptr, nullptr, nullptr, error);
    });
  }

  template <class Function> result<void> try_set_trace(Function &&function) {
    static_assert(std::is_invocable_v<const std::decay_t<Function> &, std::string_view>,
                  "a trace function takes a std::string_view, and is not mutable");
    return detail::attempt(self(), [&](imd_error *error) {
      return detail::pass_callback(
          std::forward<Function>(function), [&](void *context, void (*release)(void *)) {
            return imd_store_set_trace(handle(),
                                       detail::write_trace<const std::decay_t<Function>>, context,
                                       release, error);
          });
    });
  }
  result<void> try_set_trace(std::nullptr_t) {
    return detail::attempt(self(), [&](imd_error *error) {
      return imd_store_set_trace(handle(), nullptr, nullptr, nullptr, error);
    });
  }

  result<void> try_set_dispatch_timeout(std::chrono::milliseconds timeout) {
    return detail::attempt(self(), [&](imd_error *error) {
      return imd_store_set_dispatch_timeout(handle(), detail::to_timeout(timeout), error);
    });
  }

  result<void> try_flush(std::chrono::milliseconds timeout = forever) {
    return detail::attempt(self(), [&](imd_error *error) {
      return imd_store_flush(handle(), detail::to_timeout(timeout), error);
    });
  }

  result<void> try_settle(std::chrono::milliseconds timeout = forever) {
    return detail::attempt(self(), [&](imd_error *error) {
      return imd_store_settle(handle(), detail::to_timeout(timeout), error);
    });
  }

  result<void> try_advance(std::chrono::milliseconds time) {
    return detail::attempt(self(), [&](imd_error *error) {
      return imd_store_advance(handle(), detail::to_timeout(time), error);
    });
  }

  result<std::size_t> try_receive() {
    std::size_t waiting = 0;
    auto received = detail::attempt(
        self(), [&](imd_error *error) { return imd_store_receive(handle(), &waiting, error); });
    if (!received) return received.error();
    return waiting;
  }

  /* Closes the store. Later calls, on any thread, yield IMD_CLOSED. A reducer must not close its
   * store: the store stays open, and the dispatch fails. */
  void close() noexcept { imd_store_close(handle()); }

  /* Closes the store, and says whether its log has all actions; see imd_store_try_close. */
  result<void> try_close() {
    return detail::attempt(self(),
                           [&](imd_error *error) { return imd_store_try_close(handle(), error); });
  }

  imd_store *handle() const noexcept { return handle_.get(); }

 private:
  detail::subject self() const noexcept { return {"store", handle()}; }

  template <class Function>
  result<text> evaluate(Function function, const c_string &selector,
                        const json &arguments) const {
    if (arguments.failure()) return *arguments.failure();
    return detail::obtain_text(self(), [&](char **out, std::size_t *length, imd_error *error) {
      return function(handle(), selector.get(), arguments.data(), arguments.size(), out, length,
                      error);
    });
  }

  template <class Function>
  result<value> evaluate_value(Function function, const c_string &selector,
                               const value &arguments, const value &options) const {
    return detail::obtain<value, imd_value *>(self(), [&](imd_value **out, imd_error *error) {
      return function(handle(), selector.get(), arguments.handle(), options.handle(), out, error);
    });
  }

  std::unique_ptr<imd_store, detail::closer<imd_store_close>> handle_;
};

}  // namespace immutabledata

#endif
