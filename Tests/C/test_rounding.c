/* Numbers mean the same in each floating-point environment of the program. */
#include "check.h"
#include "query.h"

#include <fenv.h>
#include <stdlib.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

/* Texts and what is written for them. The longest must be rounded exactly. */
static const char *const numbers[][2] = {
    {"0.1", "0.1"},
    {"7919.729", "7919.729"},
    {"-33669.171", "-33669.171"},
    {"1.005", "1.005"},
    {"123456.78901234", "123456.78901234"},
    {"0.30000000000000004", "0.30000000000000004"},
    {"1e23", "1e+23"},
    {"9007199254740993.0", "9007199254740992.0"},
    {"2.2250738585072011e-308", "2.225073858507201e-308"},
    {"5e-324", "5e-324"},
    {"3e-324", "5e-324"},
    {"2e-324", "0.0"},
    {"1.7976931348623157e308", "1.7976931348623157e+308"},
    {"0.1000000000000000055511151231257827021181583404541015625", "0.1"},
    {"1.00000000000000011102230246251565404236316680908203126", "1.0000000000000002"},
};

static const char *const queries[][2] = {
    {"sum(`[0.1, 0.2, 0.3]`)", "0.6"},
    {"sum(`[5e-324, 5e-324]`)", "1e-323"},
    {"sum(`[9223372036854775807, 9223372036854775807]`)", "1.8446744073709552e+19"},
    {"avg(`[1, 1, 0]`)", "0.6666666666666666"},
    {"avg(`[0.1, 0.2, 0.4]`)", "0.23333333333333336"},
    {"avg(`[1e-323, 1e-323, 5e-324]`)", "1e-323"},
    {"to_number('0.1000000000000000055511151231257827021181583404541015625')", "0.1"},
    {"[`5e-324` == `0.0`, `0` < `5e-324`, `1e-323` > `5e-324`, `0.0` == `-0.0`]",
     "[false,true,true,true]"},
    {"[`9007199254740993` > `9007199254740992.0`, `9007199254740993` == `9007199254740994.0`]",
     "[true,false]"},
    {"[ceil(`5e-324`), floor(`-5e-324`), ceil(`0.0`)]", "[1,-1,0]"},
    {"sort(`[1e-323, 5e-324, 0.0, -5e-324]`)", "[-5e-324,0.0,5e-324,1e-323]"},
};

static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context, (void)action, (void)error;
  *next = (imd_value *)state;
  return IMD_OK;
}

static void check_number(const char *text, const char *expected) {
  imd_value *value = NULL, *again = NULL;
  char *written = NULL;
  CHECK(imd_value_parse(text, IMD_ZERO_TERMINATED, &value, NULL) == IMD_OK);
  CHECK(imd_value_text(value, &written, NULL, NULL) == IMD_OK);
  CHECK_TEXT(written, expected);
  CHECK(imd_value_parse(written, IMD_ZERO_TERMINATED, &again, NULL) == IMD_OK);
  CHECK(imd_value_equal(value, again));
  imd_value_release(value);
  imd_value_release(again);
  imd_free(written);
}

static void check_numbers(imd_store *store) {
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    check_number(numbers[i][0], numbers[i][1]);
  for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
    check_query(store, queries[i][0], queries[i][1]);
  imd_value *value = NULL;
  imd_error error;
  double real = 0;
  CHECK(imd_value_parse("1.8e308", IMD_ZERO_TERMINATED, &value, &error) == IMD_LIMIT);
  CHECK_TEXT(error.message, "the value is beyond a limit: real number overflow near '1.8e308'; "
                            "integers have 64 bits, other numbers are doubles");
  CHECK(imd_value_from_integer(9007199254740993, &value, NULL) == IMD_OK);
  CHECK(imd_value_get_real(value, "", &real, NULL) == IMD_OK && real == 9007199254740992.0);
  imd_value_release(value);
}

int main(void) {
  imd_store *store = NULL;
  CHECK(imd_store_create("{}", IMD_ZERO_TERMINATED, reduce, NULL, NULL, NULL, 0, &store, NULL) ==
        IMD_OK);
  const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    CHECK(fesetround(modes[i]) == 0);
    check_numbers(store);
    CHECK(fegetround() == modes[i]);
  }
  fesetround(FE_TONEAREST);
#if defined(__SSE2__)
  const unsigned flags = 0x8040; /* Subnormal results and operands count as 0. */
  _mm_setcsr(_mm_getcsr() | flags);
  const unsigned set = _mm_getcsr() & flags; /* valgrind sets none of them */
  check_numbers(store);
  CHECK((_mm_getcsr() & flags) == set);
  _mm_setcsr(_mm_getcsr() & ~flags);
#endif
  imd_store_close(store);
  return check_report();
}
