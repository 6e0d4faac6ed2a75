/* The files of logs, whose stores are not open. */
#ifndef IMMUTABLEDATA_LOG_HPP
#define IMMUTABLEDATA_LOG_HPP

#include "store.hpp"

#include <immutabledata_log.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace immutabledata {

namespace detail {

/* The reducer of a log, for C; nullptr for the log of a domain. */
template <class Reducer> imd_reducer log_reducer() {
  if constexpr (std::is_same_v<Reducer, std::nullptr_t>) return nullptr;
  else return reduce<Reducer>;
}

/* A predicate of entries, for C. What it throws fails the call. */
template <class Predicate> struct log_predicate {
  Predicate &predicate;
  std::optional<error> failure;

  static int call(void *context, const imd_value *entry) {
    auto &self = *static_cast<log_predicate *>(context);
    int result = -1;
    guard(
        [&] {
          const borrowed read(entry);
          result = self.predicate(read.get()) ? 1 : 0;
        },
        [&](const error &thrown) { self.failure = thrown; });
    return result;
  }
};

/* The functions of a migration, for C. */
template <class Migration>
imd_status migrate_state(void *context, const imd_value *state, imd_value **next,
                         imd_error *failure) {
  return return_value(next, failure, [&]() -> result<value> {
    const borrowed read(state);
    return static_cast<Migration *>(context)->state(read.get());
  });
}

template <class Migration>
imd_status migrate_action(void *context, const imd_value *action, imd_value **next,
                          imd_error *failure) {
  return return_value(next, failure, [&]() -> result<value> {
    const borrowed read(action);
    return static_cast<Migration *>(context)->action(read.get());
  });
}

}  // namespace detail

/* A step from one version of a log to the next one, for log::migrate. Each function may throw, or
 * return an error. An empty function changes nothing. */
struct migration {
  int from_version; /* the version that it applies to */
  std::function<result<value>(const value &state)> state;
  std::function<result<value>(const value &action)> action; /* empty value: takes it out for good */
  std::vector<std::string> removes = {}; /* the members that it takes out of the state */
};

/* Functions for the files that stores with the option "log" write; see imd_store_sync. verify and
 * entries read one, also while a store has it open. The others repeat the actions with the reducer
 * of the log, which store::create describes; it is nullptr for the log of a domain. trim is for
 * logs that a driver keeps. */
class log {
 public:
  log() = delete;

  /* Checks the lines of a file, their checksums, and its snapshot; returns JSON text. progress is
   * called with the bytes that were read, and those of the file:
   *
   *     bool progress(std::size_t done, std::size_t total)
   *
   * It may return nothing. If it returns false, the call fails with IMD_TIMEOUT; if it throws, with
   * the message. See imd_log_verify. */
  template <class Progress = std::nullptr_t>
  static result<text> try_verify(const c_string &path, Progress progress = {}) {
    detail::progress<Progress> watch(progress);
    return watch.end(detail::obtain_text([&](char **out, std::size_t *length, imd_error *error) {
      return imd_log_verify(path.get(), watch.function(), &watch, out, length, error);
    }));
  }

  /* Reads entries of a file, oldest first, as JSON text. options: {{"from", 1}, {"count", 10}}. */
  static result<text> try_entries(const c_string &path, const json &options = {}) {
    if (options.failure()) return *options.failure();
    return detail::obtain_text([&](char **out, std::size_t *length, imd_error *error) {
      return imd_log_entries(path.get(), options.data(), options.size(), out, length, error);
    });
  }

  /* The same, as a value: whatever a store has written can be read. */
  static result<value> try_entries_value(const c_string &path, const json &options = {}) {
    if (options.failure()) return *options.failure();
    return detail::obtain<value, imd_value *>([&](imd_value **out, imd_error *error) {
      return imd_log_entries_value(path.get(), options.data(), options.size(), out, error);
    });
  }

  /* Returns the last state that a file has, without its reducer; see imd_log_snapshot. */
  static result<value> try_snapshot(const c_string &path) {
    return detail::obtain<value, imd_value *>(
        [&](imd_value **out, imd_error *error) {
          return imd_log_snapshot(path.get(), out, error);
        });
  }

  /* Returns the state after the commit with a number. */
  template <class Reducer = std::nullptr_t>
  static result<value> try_state_at(const c_string &path, std::size_t number,
                                    Reducer reducer = {}) {
    return detail::obtain<value, imd_value *>([&](imd_value **out, imd_error *error) {
      return imd_log_state_at(path.get(), number, detail::log_reducer<Reducer>(), &reducer, out,
                              error);
    });
  }

  /* Writes a file anew, with its present state as its base. options:
   * {{"keep", {{"entries", 10}}}, {"shared", true}}. */
  template <class Reducer = std::nullptr_t>
  static result<void> try_compact(const c_string &path, const json &options = {},
                                  Reducer reducer = {}) {
    if (options.failure()) return *options.failure();
    return detail::attempt([&](imd_error *error) {
      return imd_log_compact(path.get(), options.data(), options.size(),
                             detail::log_reducer<Reducer>(), &reducer, error);
    });
  }

  /* Takes the actions of entries out of a file for good; returns of how many:
   *
   *     bool predicate(const value &entry)
   *
   * If it throws, the call fails with the message, and the file stays as it was. See
   * imd_log_redact. */
  template <class Predicate, class Reducer = std::nullptr_t>
  static result<std::size_t> try_redact(const c_string &path, Predicate predicate,
                                        Reducer reducer = {}) {
    static_assert(std::is_invocable_r_v<bool, Predicate &, const value &>,
                  "a predicate takes a const value & and returns a bool");
    detail::log_predicate<Predicate> chosen{predicate, {}};
    auto done = detail::obtain<std::size_t, std::size_t>([&](std::size_t *out, imd_error *error) {
      return imd_log_redact(path.get(), detail::log_predicate<Predicate>::call, &chosen,
                            detail::log_reducer<Reducer>(), &reducer, out, error);
    });
    if (chosen.failure) return *chosen.failure;
    return done;
  }

  /* Removes the entries of a log that a driver keeps up to its latest snapshot; returns the number
   * of the last one that was removed. See imd_log_trim. */
  static result<std::int64_t> try_trim(const c_string &address) {
    return detail::obtain<std::int64_t, std::int64_t>(
        [&](std::int64_t *out, imd_error *error) {
          return imd_log_trim(address.get(), out, error);
        });
  }

  /* Brings a file of an older version to a version, by one migration from each version on. Does
   * nothing if there is no file, or if it has the version. Call it before the store is opened. See
   * imd_log_migrate. */
  template <class Reducer = std::nullptr_t>
  static result<void> try_migrate(const c_string &path, int version,
                                  const std::vector<migration> &migrations,
                                  Reducer reducer = {}) {
    std::vector<imd_log_migration> steps;
    std::vector<std::vector<const char *>> removed;
    for (const migration &step : migrations) {
      auto &names = removed.emplace_back();
      for (const std::string &name : step.removes) names.push_back(name.c_str());
      names.push_back(nullptr);
      steps.push_back({step.from_version, step.state ? detail::migrate_state<migration> : nullptr,
                       step.action ? detail::migrate_action<migration> : nullptr,
                       const_cast<migration *>(&step), names.data()});
    }
    return detail::attempt([&](imd_error *error) {
      return imd_log_migrate(path.get(), version, steps.data(), steps.size(),
                             detail::log_reducer<Reducer>(), &reducer, error);
    });
  }

  /* Returns a file as JSON that Redux DevTools import. */
  template <class Reducer = std::nullptr_t>
  static result<text> try_export_json(const c_string &path, Reducer reducer = {}) {
    return detail::obtain_text([&](char **out, std::size_t *length, imd_error *error) {
      return imd_log_export(path.get(), detail::log_reducer<Reducer>(), &reducer, out, length,
                            error);
    });
  }

  /* Makes a file of what Redux DevTools have exported. source: the reducer, or the name of a
   * domain. */
  template <class Source>
  static result<void> try_import_json(const c_string &path, const json &exported, Source source) {
    if (const auto failure = exported.failure("the exported state")) return *failure;
    return detail::attempt([&](imd_error *error) {
      if constexpr (std::is_convertible_v<const Source &, c_string>) {
        const c_string domain(source);
        return imd_log_import(path.get(), exported.data(), exported.size(), domain.get(), nullptr,
                              nullptr, error);
      } else {
        return imd_log_import(path.get(), exported.data(), exported.size(), nullptr,
                              detail::log_reducer<Source>(), &source, error);
      }
    });
  }

#if IMMUTABLEDATA_EXCEPTIONS
  template <class Reducer = std::nullptr_t>
  static void migrate(const c_string &path, int version,
                      const std::vector<migration> &migrations, Reducer reducer = {}) {
    try_migrate(path, version, migrations, std::move(reducer)).value();
  }
  template <class Reducer = std::nullptr_t>
  static text export_json(const c_string &path, Reducer reducer = {}) {
    return try_export_json(path, std::move(reducer)).value();
  }
  template <class Source>
  static void import_json(const c_string &path, const json &exported, Source source) {
    try_import_json(path, exported, std::move(source)).value();
  }
  template <class Progress = std::nullptr_t>
  static text verify(const c_string &path, Progress progress = {}) {
    return try_verify(path, std::move(progress)).value();
  }
  static text entries(const c_string &path, const json &options = {}) {
    return try_entries(path, options).value();
  }
  static value entries_value(const c_string &path, const json &options = {}) {
    return try_entries_value(path, options).value();
  }
  static value snapshot(const c_string &path) { return try_snapshot(path).value(); }
  template <class Reducer = std::nullptr_t>
  static value state_at(const c_string &path, std::size_t number, Reducer reducer = {}) {
    return try_state_at(path, number, std::move(reducer)).value();
  }
  template <class Reducer = std::nullptr_t>
  static void compact(const c_string &path, const json &options = {}, Reducer reducer = {}) {
    try_compact(path, options, std::move(reducer)).value();
  }
  template <class Predicate, class Reducer = std::nullptr_t>
  static std::size_t redact(const c_string &path, Predicate predicate, Reducer reducer = {}) {
    return try_redact(path, std::move(predicate), std::move(reducer)).value();
  }
  static std::int64_t trim(const c_string &address) { return try_trim(address).value(); }
#endif
};

}  // namespace immutabledata

#endif
