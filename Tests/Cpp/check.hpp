/* The checks of the C tests, with checks of errors. */
#ifndef CHECK_HPP
#define CHECK_HPP

#include "../C/check.h"

#include <immutabledata.hpp>

namespace imd = immutabledata;

inline void check_error(const imd::error &error, imd_status status, const char *message,
                        const char *file, int line) {
  if (!check_that(error.status() == status, imd::status_name(status), file, line) ||
      !check_that(std::strcmp(error.what(), message) == 0, message, file, line))
    std::fprintf(stderr, "  is: %s: %s\n", imd::status_name(error.status()), error.what());
}

/* Checks that a result is a failure. */
#define CHECK_FAILURE(result, status, message)                             \
  do {                                                                     \
    const auto result_ = (result);                                         \
    CHECK(!result_);                                                       \
    check_error(result_.error(), status, message, __FILE__, __LINE__);     \
  } while (0)

/* Checks that an expression throws an imd::error. */
#define CHECK_ERROR(expression, status, message)                           \
  do {                                                                     \
    bool throws = false;                                                   \
    try {                                                                  \
      static_cast<void>(expression);                                       \
    } catch (const imd::error &error_) {                                   \
      throws = true;                                                       \
      check_error(error_, status, message, __FILE__, __LINE__);            \
    }                                                                      \
    check_that(throws, "throws: " #expression, __FILE__, __LINE__);        \
  } while (0)

/* Checks the JSON text of a value, or a text. */
#define CHECK_JSON(is, should_be) check_json((is), should_be, __FILE__, __LINE__)

inline void check_json(const imd::json &is, const char *should_be, const char *file, int line) {
  const std::string text(is.data(), is.size());
  if (!check_that(text == should_be, should_be, file, line))
    std::fprintf(stderr, "  is: %s\n", text.c_str());
}

#endif
