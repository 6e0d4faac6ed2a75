/* The library: its version, its domains, its log drivers and the limits of the process. */
#ifndef IMMUTABLEDATA_LIBRARY_HPP
#define IMMUTABLEDATA_LIBRARY_HPP

#include "text.hpp"

#include <immutabledata_log.h>

#include <cstdint>

namespace immutabledata {

/* Returns the version of the loaded library, such as "0.1.0". */
inline const char *version() noexcept { return imd_version(); }

/* Returns the name of a status, such as "IMD_INVALID_JSON". */
inline const char *status_name(imd_status status) noexcept { return imd_status_name(status); }

/* Describes the domains, as a JSON array. */
inline result<text> try_domains() {
  return detail::obtain_text([](char **out, std::size_t *length, imd_error *error) {
    return imd_domains(out, length, error);
  });
}

/* Sets a limit for the process. */
inline result<void> try_set_limit(imd_limit_kind kind, std::int64_t limit) {
  return detail::attempt([&](imd_error *error) { return imd_set_limit(kind, limit, error); });
}

/* Returns the current limit. */
inline std::int64_t limit(imd_limit_kind kind) noexcept { return imd_limit(kind); }

/* Registers a driver for the logs whose addresses begin with a scheme and "://", such as
 * "postgresql". It is copied; its context and functions must stay valid as long as the process. See
 * imd_register_log. */
inline result<void> try_register_log(const c_string &scheme, const imd_log_driver &driver) {
  return detail::attempt(
      [&](imd_error *error) { return imd_register_log(scheme.get(), &driver, error); });
}

#if IMMUTABLEDATA_EXCEPTIONS
inline text domains() { return try_domains().value(); }
inline void set_limit(imd_limit_kind kind, std::int64_t limit) {
  try_set_limit(kind, limit).value();
}
inline void register_log(const c_string &scheme, const imd_log_driver &driver) {
  try_register_log(scheme, driver).value();
}
#endif

}  // namespace immutabledata

#endif
