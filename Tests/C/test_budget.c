/* The budget of work: where it is set, which one applies, and the messages when it is exceeded. */
#include "check.h"

#include <immutabledata.h>
#include <stdlib.h>

#define Z IMD_ZERO_TERMINATED
#define PAIRS "let $all = n in length(n[*].[sum($all)])"
#define DEFAULT 16777216

/* The error of an evaluation of PAIRS that exceeds its budget, and its position. */
#define EXCEEDED(budget)                                                                          \
  "sum(): the evaluation takes more than " budget " units of work, which is its budget; "         \
  "simplify the expression, or raise \"budget\"\n  " PAIRS                                        \
  "\n                               ^"

/* The same if the budget is the work limit. */
#define BEYOND_LIMIT(limit)                                                                       \
  "sum(): the evaluation takes more than " limit " units of work, which is the work limit; "   \
  "simplify the expression, raise the limit, or set \"budget\"\n  " PAIRS                         \
  "\n                               ^"

static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context, (void)state;
  return imd_value_get(action, "/payload", next, error);
}

/* A state with `count` numbers, "n"; evaluating PAIRS takes more than count * count units. */
static char *numbers(const char *before, int count, const char *after) {
  size_t size = strlen(before) + strlen(after) + 2 * (size_t)count + 16;
  char *text = malloc(size), *end = text;
  if (!text) abort();
  end += sprintf(end, "%s{\"n\":[", before);
  for (int i = 0; i < count; i++) end += sprintf(end, i ? ",1" : "1");
  sprintf(end, "]}%s", after);
  return text;
}

static imd_store *create(const char *options) {
  imd_store *store = NULL;
  char *state = numbers("", 100, "");
  CHECK(imd_store_create(state, Z, reduce, NULL, NULL, options, options ? Z : 0, &store, NULL) ==
        IMD_OK);
  free(state);
  CHECK(imd_store_define_selector(store, "pairs", PAIRS, NULL) == IMD_OK);
  return store;
}

static void set(imd_store *store, int count) {
  char *action = numbers("{\"type\":\"set\",\"payload\":", count, "}");
  CHECK(imd_store_dispatch(store, action, Z, NULL) == IMD_OK);
  free(action);
}

/* The four calls that evaluate; those for text have no options. */
typedef imd_status (*call)(imd_store *store, const char *options, char **out, size_t *length,
                           imd_error *error);

/* Calls a function for values, and writes its output as text. */
static imd_status evaluate(imd_status (*function)(imd_store *, const char *, const imd_value *,
                                                  const imd_value *, imd_value **, imd_error *),
                           imd_store *store, const char *text, const char *options, char **out,
                           size_t *length, imd_error *error) {
  imd_value *given = NULL, *output = NULL;
  if (options) CHECK(imd_value_parse(options, Z, &given, NULL) == IMD_OK);
  imd_status status = function(store, text, NULL, given, out ? &output : NULL, error);
  imd_value_release(given);
  if (out) *out = NULL;
  if (length) *length = 0;
  if (output) CHECK(imd_value_text(output, out, length, NULL) == IMD_OK);
  imd_value_release(output);
  return status;
}

static imd_status select_with(imd_store *store, const char *options, char **out, size_t *length,
                              imd_error *error) {
  return evaluate(imd_store_select_value, store, "pairs", options, out, length, error);
}
static imd_status query_with(imd_store *store, const char *options, char **out, size_t *length,
                             imd_error *error) {
  return evaluate(imd_store_query_value, store, PAIRS, options, out, length, error);
}
static imd_status select_without(imd_store *store, const char *options, char **out, size_t *length,
                                 imd_error *error) {
  (void)options;
  return imd_store_select(store, "pairs", NULL, 0, out, length, error);
}
static imd_status query_without(imd_store *store, const char *options, char **out, size_t *length,
                                imd_error *error) {
  (void)options;
  return imd_store_query(store, PAIRS, NULL, 0, out, length, error);
}

static const call with_options[] = {select_with, query_with};
static const call every[] = {select_with, query_with, select_without, query_without};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static void check_call(call function, imd_store *store, const char *options, imd_status expected,
                       const char *message) {
  char *out = "";
  size_t length = 1;
  imd_error error;
  imd_status status = function(store, options, &out, &length, &error);
  CHECK(status == expected && error.status == expected);
  CHECK_TEXT(error.message, message);
  if (expected == IMD_OK) {
    CHECK_TEXT(out, "100");
    CHECK(length == 3);
    imd_free(out);
  } else {
    CHECK(out == NULL && length == 0);
  }
}

/* Precedence: the budget of the call, then that of the store, then the default. */
static void test_precedence(void) {
  static const struct {
    const char *store_options, *call_options, *exceeded;
  } cases[] = {
      {NULL, NULL, NULL},
      {NULL, "{}", NULL},
      {NULL, "{\"budget\":100000}", NULL},
      {NULL, "{\"budget\":1000}", EXCEEDED("1000")},
      {NULL, "{\"budget\":9223372036854775807}", NULL},
      {"{}", "{\"budget\":1000}", EXCEEDED("1000")},
      {"{\"budget\":1000}", NULL, EXCEEDED("1000")},
      {"{\"budget\":1000}", "{}", EXCEEDED("1000")},
      {"{\"budget\":1000}", "{\"budget\":2000}", EXCEEDED("2000")},
      {"{\"budget\":1000}", "{\"budget\":100000}", NULL},
      {"{\"budget\":100000}", NULL, NULL},
      {"{\"budget\":100000,\"optimistic\":true}", "{\"budget\":1000}", EXCEEDED("1000")},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    for (size_t j = 0; j < COUNT(every); j++) {
      if (j >= COUNT(with_options) && cases[i].call_options) continue;
      imd_store *store = create(cases[i].store_options);
      check_call(every[j], store, cases[i].call_options, cases[i].exceeded ? IMD_LIMIT : IMD_OK,
                 cases[i].exceeded ? cases[i].exceeded : "");
      imd_store_close(store);
    }
  }
}

/* The error has a position. Failures are not cached. Cached outputs cost nothing. */
static void test_caching(void) {
  for (size_t i = 0; i < COUNT(with_options); i++) {
    imd_store *store = create(NULL);
    char *out;
    imd_error error;
    CHECK(with_options[i](store, "{\"budget\":1000}", &out, NULL, &error) == IMD_LIMIT);
    CHECK(error.line == 1 && error.column == 30);
    check_call(with_options[i], store, "{\"budget\":100000}", IMD_OK, "");
    check_call(with_options[i], store, "{\"budget\":1}", IMD_OK, "");
    imd_store_close(store);
  }
}

/* The minimum budget, and one less. */
static void test_minimum(void) {
  imd_store *store = create(NULL);
  imd_error error;
  char *out;
  CHECK(evaluate(imd_store_query_value, store, "x.y", "{\"budget\":2}", &out, NULL, &error) ==
        IMD_LIMIT);
  CHECK(out == NULL);
  CHECK(evaluate(imd_store_query_value, store, "x.y", "{\"budget\":3}", &out, NULL, &error) ==
        IMD_OK);
  CHECK_TEXT(out, "null");
  imd_free(out);
  imd_store_close(store);
}

static struct {
  int values, failures;
  int64_t value;
  imd_status status;
  char message[512];
} delivered;

static void observe(void *context, const imd_delivery *delivery) {
  (void)context;
  if (delivery->kind == IMD_DELIVERY_FAILURE) {
    delivered.failures++;
    delivered.status = delivery->error->status;
    snprintf(delivered.message, sizeof delivered.message, "%s", delivery->error->message);
  } else {
    delivered.values++;
    imd_value_get_integer(delivery->value, "", &delivered.value, NULL);
  }
}

#define NO_INTEGER(what) "options/budget: expected an integer, found " what
#define NOT_POSITIVE(budget) "options/budget: " budget " is not 1 or more"

/* All functions with this option reject the same values with the same messages. */
static void test_bad_options(void) {
  static const struct {
    const char *options, *message;
  } cases[] = {
      {"{\"budget\":0}", NOT_POSITIVE("0")},
      {"{\"budget\":-1}", NOT_POSITIVE("-1")},
      {"{\"budget\":\"1\"}", NO_INTEGER("a string")},
      {"{\"budget\":1.5}", NO_INTEGER("1.5")},
      {"{\"budget\":1e30}", NO_INTEGER("1e+30")},
      {"{\"budget\":true}", NO_INTEGER("a boolean")},
      {"{\"budget\":null}", NO_INTEGER("null")},
      {"[]", "options: expected an object, found an array"},
  };
  imd_store *store = create(NULL), *other = NULL;
  imd_observation *observation = NULL;
  imd_error error;
  for (size_t i = 0; i < COUNT(cases); i++) {
    const char *options = cases[i].options;
    for (size_t j = 0; j < COUNT(with_options); j++)
      check_call(with_options[j], store, options, IMD_INVALID_ARGUMENT, cases[i].message);
    CHECK(imd_store_open("counter", options, Z, &other, &error) == IMD_INVALID_ARGUMENT);
    CHECK_TEXT(error.message, cases[i].message);
    CHECK(imd_store_create("0", Z, reduce, NULL, NULL, options, Z, &other, &error) ==
          IMD_INVALID_ARGUMENT);
    CHECK_TEXT(error.message, cases[i].message);
    CHECK(other == NULL);
    CHECK(imd_store_observe(store, "pairs", NULL, 0, options, Z, observe, NULL, NULL, &observation,
                            &error) == IMD_INVALID_ARGUMENT);
    CHECK_TEXT(error.message, cases[i].message);
    CHECK(observation == NULL);
  }
  for (size_t j = 0; j < COUNT(with_options); j++)
    check_call(with_options[j], store, "{\"budget\":1,\"x\":0}", IMD_INVALID_ARGUMENT,
               "unknown option \"x\"; expected \"budget\"");
  imd_store_close(store);
}

/* Closed and NULL handles, and a missing out-parameter. */
static void test_handles(void) {
  imd_store *store = create(NULL);
  imd_error error;
  for (size_t i = 0; i < COUNT(with_options); i++) {
    CHECK(with_options[i](store, NULL, NULL, NULL, &error) == IMD_INVALID_ARGUMENT);
    CHECK_TEXT(error.message, "out must not be NULL");
    check_call(with_options[i], NULL, NULL, IMD_INVALID_ARGUMENT,
               "store must not be NULL");
  }
  imd_store_close(store);
  const char *closed = "the store was closed; open another one";
  for (size_t i = 0; i < COUNT(with_options); i++) {
    check_call(with_options[i], store, NULL, IMD_CLOSED, closed);
    check_call(with_options[i], store, "{\"budget\":0}", IMD_CLOSED, closed);
  }
}

/* In a store of a domain, the budget applies to expressions but not to the domain's selectors. */
static void test_domain(void) {
  imd_store *store;
  imd_error error;
  char *out;
  CHECK(imd_store_open("counter", "{\"budget\":2}", Z, &store, &error) == IMD_OK);
  CHECK(imd_store_query(store, "[value]", NULL, 0, &out, NULL, &error) == IMD_LIMIT);
  CHECK(out == NULL);
  CHECK(evaluate(imd_store_query_value, store, "[value]", "{\"budget\":100}", &out, NULL,
                 &error) == IMD_OK);
  CHECK_TEXT(out, "[0]");
  imd_free(out);
  CHECK(evaluate(imd_store_select_value, store, "selectValue", "{\"budget\":1}", &out, NULL,
                 &error) == IMD_OK);
  CHECK_TEXT(out, "0");
  imd_free(out);
  imd_store_close(store);
}

/* An observation evaluates with its own budget, or that of the store, after each dispatch. */
static void test_observation(void) {
  static const struct {
    const char *store_options, *options, *exceeded;
  } cases[] = {
      {NULL, "{\"budget\":20000}", EXCEEDED("20000")},
      {"{\"budget\":20000}", NULL, EXCEEDED("20000")},
      {"{\"budget\":1000}", "{\"budget\":20000}", EXCEEDED("20000")},
      {"{\"budget\":20000}", "{\"budget\":10000000}", NULL},
      {NULL, NULL, NULL},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    imd_store *store = create(cases[i].store_options);
    memset(&delivered, 0, sizeof delivered);
    CHECK(imd_store_observe(store, "pairs", NULL, 0, cases[i].options, cases[i].options ? Z : 0,
                            observe, NULL, NULL, NULL, NULL) == IMD_OK);
    CHECK(delivered.values == 1 && delivered.value == 100 && delivered.failures == 0);
    set(store, 300);
    if (cases[i].exceeded) {
      CHECK(delivered.values == 1 && delivered.failures == 1 && delivered.status == IMD_LIMIT);
      CHECK_TEXT(delivered.message, cases[i].exceeded);
    } else {
      CHECK(delivered.values == 2 && delivered.value == 300 && delivered.failures == 0);
    }
    /* It continues when the budget suffices again. */
    set(store, 10);
    CHECK(delivered.value == 10);
    imd_store_close(store);
  }
}

/* Observing fails if the current output exceeds the budget, delivered or not. A cached output costs
 * nothing. */
static void test_initial_output(void) {
  static const char *const options[] = {"{\"budget\":1000}",
                                        "{\"budget\":1000,\"initial\":false}"};
  for (size_t i = 0; i < COUNT(options); i++) {
    imd_store *store = create(NULL);
    imd_observation *observation = NULL;
    imd_error error;
    memset(&delivered, 0, sizeof delivered);
    CHECK(imd_store_observe(store, "pairs", NULL, 0, options[i], Z, observe, NULL, NULL,
                            &observation, &error) == IMD_LIMIT);
    CHECK_TEXT(error.message, EXCEEDED("1000"));
    CHECK(observation == NULL);
    set(store, 101);
    set(store, 100);
    CHECK(delivered.values == 0 && delivered.failures == 0);

    check_call(select_without, store, NULL, IMD_OK, "");
    CHECK(imd_store_observe(store, "pairs", NULL, 0, options[i], Z, observe, NULL, NULL, NULL,
                            &error) == IMD_OK);
    CHECK(delivered.values == (i == 0) && delivered.failures == 0);
    set(store, 101);
    CHECK(delivered.failures == 1 && delivered.status == IMD_LIMIT);
    imd_store_close(store);
  }
}

/* Inside a reducer nothing is evaluated, regardless of the arguments, and the dispatch fails. */
static imd_store *reentered;
static const char *reentered_options;
static call reentering;

static imd_status reenter(void *context, const imd_value *state, const imd_value *action,
                          imd_value **next, imd_error *error) {
  check_call(reentering, reentered, reentered_options, IMD_REENTRANT,
             "a reducer selected from its own store; read the state passed to it instead");
  return reduce(context, state, action, next, error);
}

static void test_reducer(void) {
  static const char *const options[] = {NULL, "{\"budget\":100}", "{\"budget\":0}"};
  imd_store *store;
  imd_error error;
  char *out;
  CHECK(imd_store_create("0", Z, reenter, NULL, NULL, NULL, 0, &store, NULL) == IMD_OK);
  reentered = store;
  for (size_t i = 0; i < COUNT(options) * COUNT(with_options); i++) {
    reentering = with_options[i % COUNT(with_options)];
    reentered_options = options[i / COUNT(with_options)];
    CHECK(imd_store_dispatch(store, "{\"type\":\"set\",\"payload\":1}", Z, &error) ==
          IMD_REENTRANT);
  }
  CHECK(imd_store_query(store, "@", NULL, 0, &out, NULL, NULL) == IMD_OK);
  CHECK_TEXT(out, "0");
  imd_free(out);
  imd_store_close(store);
}

/* The work limit is the default budget, also of an observation that has begun. */
static void test_limit(void) {
  CHECK(imd_limit(IMD_LIMIT_WORK) == DEFAULT);
  for (size_t i = 0; i < COUNT(every); i++) {
    CHECK(imd_set_limit(IMD_LIMIT_WORK, 1000, NULL) == IMD_OK);
    imd_store *store = create(NULL);
    check_call(every[i], store, NULL, IMD_LIMIT, BEYOND_LIMIT("1000"));
    check_call(every[i % COUNT(with_options)], store, "{\"budget\":100000}", IMD_OK, "");
    imd_store_close(store);
    CHECK(imd_set_limit(IMD_LIMIT_WORK, DEFAULT, NULL) == IMD_OK);
  }
  imd_store *store = create(NULL);
  memset(&delivered, 0, sizeof delivered);
  CHECK(imd_store_observe(store, "pairs", NULL, 0, NULL, 0, observe, NULL, NULL, NULL, NULL) ==
        IMD_OK);
  CHECK(imd_set_limit(IMD_LIMIT_WORK, 20000, NULL) == IMD_OK);
  set(store, 300);
  CHECK(delivered.failures == 1 && delivered.status == IMD_LIMIT);
  CHECK_TEXT(delivered.message, BEYOND_LIMIT("20000"));
  CHECK(imd_set_limit(IMD_LIMIT_WORK, DEFAULT, NULL) == IMD_OK);
  set(store, 301);
  CHECK(delivered.failures == 1 && delivered.value == 301);
  imd_store_close(store);
}

int main(void) {
  test_precedence();
  test_caching();
  test_minimum();
  test_bad_options();
  test_handles();
  test_domain();
  test_observation();
  test_initial_output();
  test_reducer();
  test_limit();
  return check_report();
}
