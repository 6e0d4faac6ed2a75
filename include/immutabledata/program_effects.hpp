/* Effects that the program performs, and rules. */
#ifndef IMMUTABLEDATA_PROGRAM_EFFECTS_HPP
#define IMMUTABLEDATA_PROGRAM_EFFECTS_HPP

#include "callback.hpp"
#include "cursor.hpp"

#include <atomic>
#include <memory>

namespace immutabledata {

/* Says whether nobody waits for the outcome of an effect: it was cancelled, had ended before, or
 * its store was closed. Copy it freely, and read it on any thread. */
class cancellation {
 public:
  bool requested() const noexcept { return flag_->load(std::memory_order_acquire); }

 private:
  friend class effect;

  std::shared_ptr<std::atomic<bool>> flag_ = std::make_shared<std::atomic<bool>>(false);
};

namespace detail {
template <class Function> void cancel_effect(void *context);
}

/* Refers to an effect in flight, without owning it: copy it freely. End the effect from any thread,
 * also after it was cancelled or its store closed: resolve and reject then return false. */
class effect {
 public:
  effect() = default;
  explicit effect(imd_effect *handle) noexcept : handle_(handle) {}

#if IMMUTABLEDATA_EXCEPTIONS
  /* Ends the effect with its result; an empty value is JSON null. Returns false if the effect had
   * ended before, because it was answered or its store was closed. Throws other errors. */
  bool resolve(const value &result = {}) const {
    return detail::unless_closed(try_resolve(result));
  }

  /* Ends the effect without a result. Returns and throws as resolve does. */
  bool reject(const c_string &reason) const { return detail::unless_closed(try_reject(reason)); }

  /* Sets the function that is called, once, when the effect is cancelled or its store is closed; at
   * once if the effect has been cancelled. Returns false if the effect has ended:
   *
   *     void function()
   *
   * If it throws, the error handler gets the exception. See imd_effect_set_cancel. */
  template <class Function> bool on_cancel(Function &&function) const {
    return detail::unless_closed(try_on_cancel(std::forward<Function>(function)));
  }

  /* Returns what a function asks that takes long. This and on_cancel replace each other. */
  immutabledata::cancellation cancellation() const {
    immutabledata::cancellation cancellation;
    const auto flag = cancellation.flag_;
    if (!on_cancel([flag] { flag->store(true, std::memory_order_release); })) flag->store(true);
    return cancellation;
  }
#endif

  /* The same functions with a result. IMD_CLOSED: the effect has ended. */
  result<void> try_resolve(const value &result = {}) const {
    return detail::attempt(self(), [&](imd_error *error) {
      return imd_effect_resolve(handle_, result.handle(), error);
    });
  }
  result<void> try_reject(const c_string &reason) const {
    return detail::attempt(
        self(), [&](imd_error *error) { return imd_effect_reject(handle_, reason.get(), error); });
  }
  template <class Function> result<void> try_on_cancel(Function &&function) const {
    std::decay_t<Function> box(std::forward<Function>(function));
    return detail::attempt(self(), [&](imd_error *error) {
      return detail::pass_callback(std::move(box), [&](void *context, void (*release)(void *)) {
        return imd_effect_set_cancel(
            handle_, detail::cancel_effect<std::decay_t<Function>>, context, release, error);
      });
    });
  }

  imd_effect *handle() const noexcept { return handle_; }

 private:
  detail::subject self() const noexcept { return {"effect", handle_}; }

  imd_effect *handle_ = nullptr;
};

namespace detail {

template <class Function> void cancel_effect(void *context) {
  guard([&] { (*static_cast<Function *>(context))(); },
        [](const error &thrown) { report(error("cancellation of an effect", thrown)); });
}

/* A function that performs effects, and its name in messages. */
template <class Function> struct effect_box {
  Function function;
  std::string name;

  /* A function that throws rejects its effect, and the handler gets the exception. */
  static void perform(void *context, imd_effect *handle, const imd_value *arguments) {
    auto &box = *static_cast<effect_box *>(context);
    const effect effect(handle);
    guard([&] { box.function(effect, value::retain(arguments)); },
          [&](const error &thrown) {
            static_cast<void>(effect.try_reject(thrown.what()));
            report(error("effect \"" + box.name + "\"", thrown));
          });
  }
};

template <class Rule>
imd_status run_rule(void *context, const imd_value *action, const imd_value *old_state,
                    const imd_value *new_state, imd_value **effects, imd_error *failure) {
  return return_value(effects, failure, [&]() -> result<value> {
    const borrowed dispatched(action), before(old_state), after(new_state);
    return (*static_cast<Rule *>(context))(dispatched.get(), before.get(), after.get());
  });
}

template <class Handler> void handle_error(void *context, const imd_error *failure) {
  guard([&] { (*static_cast<Handler *>(context))(error(*failure)); },
        [](const error &thrown) { report(error("effect error handler", thrown)); });
}

/* Calls a function with the outcome of a dispatch, once. */
template <class Done> void end_dispatch(void *context, const imd_error *failure) {
  const std::unique_ptr<Done> done(static_cast<Done *>(context));
  guard(
      [&] {
        if (failure->status == IMD_OK) (*done)(result<void>());
        else (*done)(result<void>(error(*failure)));
      },
      [](const error &thrown) { report(error("outcome of a dispatch", thrown)); });
}

template <class Function> void write_trace(void *context, const char *line, std::size_t length) {
  guard([&] { (*static_cast<Function *>(context))(std::string_view(line, length)); },
        [](const error &thrown) { report(error("trace", thrown)); });
}

}  // namespace detail
}  // namespace immutabledata

#endif
