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

/* An observer, its name in messages, and its handle, which is set before the first call. The handle
 * is shared: an observer that cancels itself in its first call is destroyed before
 * imd_store_observe returns. */
template <class Observer> struct observer_box {
  Observer observer;
  std::string name;
  std::shared_ptr<imd_observation *> handle;
};

inline std::string observer_name(const char *selector) {
  return "observer of \"" + std::string(selector ? selector : "") + "\"";
}

template <class Observer> void observe(void *context, const imd_delivery *delivered) {
  auto &box = *static_cast<observer_box<Observer> *>(context);
  guard(
      [&] {
        const delivery delivery(*delivered, *box.handle);
        if constexpr (std::is_invocable_v<Observer &, const class delivery &>) {
          box.observer(delivery);
        } else if (delivered->kind == IMD_DELIVERY_FAILURE) {
          report(error(box.name, delivery.error()));
        } else {
          box.observer(delivery.value());
        }
      },
      [&](const error &thrown) { report(error(box.name, thrown)); });
}

}  // namespace detail
}  // namespace immutabledata

#endif
