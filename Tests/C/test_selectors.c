/* Selectors that are functions, and the comparison of dependencies. */
#include "check.h"

#include <immutabledata.h>
#include <stdlib.h>

static const char state[] = "{\"items\":[1,2,3],\"rate\":2,\"unused\":0}";

/* {"type":"…","payload":{…}}: the payload is merged into the state. */
static imd_status reduce(void *context, const imd_value *old, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context;
  imd_value *payload = NULL;
  imd_status status = imd_value_get(action, "/payload", &payload, error);
  if (status == IMD_OK) status = imd_value_merge(old, payload, next, error);
  imd_value_release(payload);
  return status;
}

/* What a selector returns or does, and how often it was called. */
typedef struct {
  enum {
    ARRAY,
    INPUT,
    RETAINED,
    ARGUMENTS,
    CURSOR,
    NOTHING,
    FAILURE,
    SILENT_FAILURE,
    SELECTS,
    DISPATCHES,
    DEFINES,
    CLOSES
  } returns;
  imd_store *store;
  int calls, released;
  size_t count;
} function;

static imd_value *array(const imd_value *const *values, size_t count) {
  imd_value *array = NULL, *next;
  CHECK(imd_value_parse("[]", IMD_ZERO_TERMINATED, &array, NULL) == IMD_OK);
  for (size_t i = 0; i < count; i++) {
    CHECK(imd_value_insert(array, "/-", values[i], &next, NULL) == IMD_OK);
    imd_value_release(array);
    array = next;
  }
  return array;
}

static imd_status call(void *context, const imd_value *const *inputs, size_t count,
                       const imd_value *arguments, imd_value **out, imd_error *error) {
  function *function = context;
  char *text = NULL;
  function->calls++;
  function->count = count;
  CHECK(*out == NULL && error != NULL);
  switch (function->returns) {
    case ARRAY: *out = array(inputs, count); break;
    case INPUT: *out = (imd_value *)inputs[count - 1]; break;
    case RETAINED: *out = imd_value_retain(inputs[0]); break;
    case ARGUMENTS: *out = (imd_value *)arguments; break;
    case CURSOR: {
      imd_cursor *cursor = NULL;
      const imd_value *element = NULL;
      CHECK(imd_cursor_open(inputs[0], NULL, &cursor, NULL) == IMD_OK);
      CHECK(imd_cursor_next(cursor, NULL, NULL, &element));
      *out = imd_value_retain(element);
      imd_cursor_close(cursor);
      break;
    }
    case NOTHING: break;
    case FAILURE:
      snprintf(error->message, sizeof error->message, "out of stock");
      error->code = 42;
      *out = imd_value_retain(inputs[0]);
      return IMD_NOT_FOUND;
    case SILENT_FAILURE: return IMD_NOT_FOUND;
    case SELECTS:
      CHECK(imd_store_select(function->store, "rate", NULL, 0, &text, NULL, NULL) ==
            IMD_REENTRANT);
      *out = imd_value_retain(inputs[0]);
      break;
    case DISPATCHES:
      CHECK(imd_store_dispatch(function->store, "{\"type\":\"x\"}", IMD_ZERO_TERMINATED, NULL) ==
            IMD_REENTRANT);
      return IMD_REENTRANT;
    case DEFINES:
      CHECK(imd_store_define_function(function->store, "g", NULL, 0, call, function, NULL, NULL) ==
            IMD_REENTRANT);
      *out = imd_value_retain(inputs[0]);
      break;
    case CLOSES:
      imd_store_close(function->store);
      *out = imd_value_retain(inputs[0]);
  }
  return IMD_OK;
}

static void release(void *context) { ((function *)context)->released++; }

/* ---- Calls that must succeed ----------------------------------------------------------------- */

static imd_store *open_store(void) {
  imd_store *store = NULL;
  CHECK(imd_store_create(state, IMD_ZERO_TERMINATED, reduce, NULL, NULL, NULL, 0, &store, NULL) ==
        IMD_OK);
  CHECK(imd_store_define_selector(store, "rate", "rate", NULL) == IMD_OK);
  CHECK(imd_store_define_selector(store, "unused", "unused", NULL) == IMD_OK);
  return store;
}

static void merge(imd_store *store, const char *patch) {
  char action[100];
  snprintf(action, sizeof action, "{\"type\":\"merge\",\"payload\":%s}", patch);
  CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, NULL) == IMD_OK);
}

static imd_status try_define(imd_store *store, const char *name, const char *options,
                             function *function, imd_error *error) {
  return imd_store_define_function(store, name, options, options ? IMD_ZERO_TERMINATED : 0, call,
                                   function, release, error);
}

static void define(imd_store *store, const char *name, const char *options, function *function) {
  imd_error error;
  if (!CHECK(try_define(store, name, options, function, &error) == IMD_OK))
    fprintf(stderr, "  %s\n", error.message);
}

static void check_select(imd_store *store, const char *name, const char *arguments,
                         const char *expected) {
  char *text = NULL;
  imd_error error;
  if (!CHECK(imd_store_select(store, name, arguments, arguments ? IMD_ZERO_TERMINATED : 0, &text,
                              NULL, &error) == IMD_OK))
    fprintf(stderr, "  %s\n", error.message);
  CHECK_TEXT(text, expected);
  imd_free(text);
}

static void check_failure(imd_store *store, const char *name, imd_status status,
                          const char *message, int code) {
  char *text = NULL;
  imd_error error;
  CHECK(imd_store_select(store, name, NULL, 0, &text, NULL, &error) == status && text == NULL);
  CHECK_TEXT(error.message, message);
  CHECK(error.code == code);
}

/* What an observer got. */
typedef struct {
  char seen[200];
  char compared[200]; /* index and values of the comparison of dependencies */
} watch;

static void append(char *texts, const imd_value *value) {
  char *text = NULL;
  imd_value_text(value, &text, NULL, NULL);
  snprintf(texts + strlen(texts), 200 - strlen(texts), "%s ", text ? text : "failure");
  imd_free(text);
}

static void record(void *context, const imd_delivery *delivery) {
  append(((watch *)context)->seen, delivery->value);
}

/* ---- Inputs, elements and arguments ---------------------------------------------------------- */

static void test_inputs(void) {
  imd_store *store = open_store();
  function f = {.returns = ARRAY}, g = {.returns = ARRAY}, whole = {.returns = INPUT};
  watch watch = {.seen = ""};
  define(store, "f", "{\"inputs\":[\"length(items)\",\"rate\"]}", &f);
  define(store, "g", "{\"inputs\":[\"f\"]}", &g);
  check_select(store, "g", NULL, "[[3,2]]");
  CHECK(imd_store_observe(store, "g", NULL, 0, NULL, 0, record, &watch, NULL, NULL, NULL) ==
        IMD_OK);
  merge(store, "{\"unused\":1}");
  merge(store, "{\"items\":[3,2,1]}");
  CHECK(f.calls == 1 && f.count == 2 && g.calls == 1);
  merge(store, "{\"rate\":3}");
  CHECK(f.calls == 2 && g.calls == 2);
  check_select(store, "f", NULL, "[3,3]");
  CHECK_TEXT(watch.seen, "[[3,2]] [[3,3]] ");
  CHECK(f.calls == 2);
  /* Without options, the input is the state. */
  define(store, "state", NULL, &whole);
  check_select(store, "state", NULL, "{\"items\":[3,2,1],\"rate\":3,\"unused\":1}");
  imd_store_close(store);
  CHECK(f.released == 1 && g.released == 1 && whole.released == 1);
}

static void test_each(void) {
  imd_store *store = open_store();
  function f = {.returns = ARRAY}, last = {.returns = INPUT};
  define(store, "f", "{\"each\":\"items\",\"inputs\":[\"rate\"]}", &f);
  check_select(store, "f", NULL, "[[1,2],[2,2],[3,2]]");
  merge(store, "{\"items\":[1,5,3,4]}");
  check_select(store, "f", NULL, "[[1,2],[5,2],[3,2],[4,2]]");
  CHECK(f.calls == 5 && f.count == 2);
  merge(store, "{\"items\":{\"a\":1,\"b\":2}}");
  check_select(store, "f", NULL, "{\"a\":[1,2],\"b\":[2,2]}");
  define(store, "last", "{\"each\":\"items\"}", &last);
  check_select(store, "last", NULL, "{\"a\":1,\"b\":2}");
  merge(store, "{\"items\":{\"a\":3,\"b\":null}}");
  check_select(store, "last", NULL, "{\"a\":3}");
  CHECK(last.calls == 3 && last.count == 1);
  merge(store, "{\"items\":\"none\"}");
  check_failure(store, "last", IMD_INVALID_SELECTOR,
                "the selector \"last\": \"each\" expects an array or an object, not a string", 0);
  imd_store_close(store);
}

static void test_arguments(void) {
  imd_store *store = open_store();
  function f = {.returns = ARGUMENTS};
  define(store, "f", "{\"inputs\":[\"items[?@ == $x]\"],\"arguments\":[\"y\",\"z\"]}", &f);
  check_select(store, "f", "{\"x\":1,\"y\":2,\"z\":3}", "{\"y\":2,\"z\":3}");
  check_failure(store, "f", IMD_INVALID_ARGUMENT,
                "arguments: the argument \"x\" of \"f\" is missing", 0);
  imd_store_close(store);
}

/* ---- What a function returns ----------------------------------------------------------------- */

static void test_returns(void) {
  const struct {
    int returns;
    const char *expected;
  } cases[] = {
      {ARRAY, "[[1,2,3],2]"},
      {INPUT, "2"},
      {RETAINED, "[1,2,3]"},
      {ARGUMENTS, "{}"},
      {CURSOR, "1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    imd_store *store = open_store();
    function f = {.returns = cases[i].returns};
    define(store, "f", "{\"inputs\":[\"items\",\"rate\"]}", &f);
    check_select(store, "f", NULL, cases[i].expected);
    imd_store_close(store);
  }
}

static void test_failures(void) {
  const struct {
    int returns;
    imd_status status;
    const char *message;
    int code;
  } cases[] = {
      {NOTHING, IMD_INVALID_SELECTOR,
       "the selector \"f\": it returned no value; set *out, to null if need be", 0},
      {FAILURE, IMD_INVALID_SELECTOR, "the selector \"f\": out of stock", 42},
      {SILENT_FAILURE, IMD_INVALID_SELECTOR,
       "the selector \"f\": the selector returned IMD_NOT_FOUND and no message", 0},
      {SELECTS, IMD_REENTRANT,
       "the selector \"f\": a selector selected from its own store; name what it needs as an input",
       0},
      {DISPATCHES, IMD_REENTRANT,
       "the selector \"f\": a selector dispatched an action; dispatch in an observer instead", 0},
      {DEFINES, IMD_REENTRANT,
       "the selector \"f\": a selector used its own store; name what it needs as an input", 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    imd_store *store = open_store();
    function f = {.returns = cases[i].returns, .store = store};
    define(store, "f", "{\"inputs\":[\"rate\"]}", &f);
    check_failure(store, "f", cases[i].status, cases[i].message, cases[i].code);
    imd_store_close(store);
    CHECK(f.released == 1);
  }
}

static void test_observed_failure(void) {
  imd_store *store = open_store();
  function f = {.returns = INPUT};
  watch watch = {.seen = ""};
  define(store, "f", "{\"inputs\":[\"rate\"]}", &f);
  CHECK(imd_store_observe(store, "f", NULL, 0, NULL, 0, record, &watch, NULL, NULL, NULL) ==
        IMD_OK);
  f.returns = FAILURE;
  merge(store, "{\"rate\":3}");
  f.returns = INPUT;
  merge(store, "{\"rate\":4}");
  CHECK_TEXT(watch.seen, "2 failure 4 ");
  imd_store_close(store);
}

/* A close waits for no function of its own thread; the function is released when it returns. */
static void test_close_inside(void) {
  function f = {.returns = CLOSES, .store = open_store()};
  define(f.store, "f", "{\"inputs\":[\"rate\"]}", &f);
  char *text = NULL;
  imd_store_select(f.store, "f", NULL, 0, &text, NULL, NULL);
  imd_free(text);
  imd_store_close(f.store);
  CHECK(f.calls == 1 && f.released == 1);
}

/* ---- Defining -------------------------------------------------------------------------------- */

static void test_redefinition(void) {
  imd_store *store = open_store();
  function first = {.returns = INPUT}, second = {.returns = ARRAY}, g = {.returns = ARRAY};
  watch watch = {.seen = ""};
  define(store, "f", "{\"inputs\":[\"rate\"]}", &first);
  define(store, "g", "{\"inputs\":[\"f\"]}", &g);
  CHECK(imd_store_observe(store, "g", NULL, 0, NULL, 0, record, &watch, NULL, NULL, NULL) ==
        IMD_OK);
  define(store, "f", "{\"inputs\":[\"items\"]}", &second);
  CHECK(first.released == 1 && second.released == 0);
  CHECK_TEXT(watch.seen, "[2] [[[1,2,3]]] ");
  CHECK(imd_store_define_selector(store, "f", "rate", NULL) == IMD_OK);
  CHECK(second.released == 1);
  CHECK_TEXT(watch.seen, "[2] [[[1,2,3]]] [2] ");
  imd_store_close(store);
  CHECK(first.released == 1 && second.released == 1 && g.released == 1);
}

static void refuse(imd_store *store, const char *name, const char *options, imd_selector selector,
                   imd_status status, const char *message) {
  function f = {.returns = ARRAY};
  imd_error error;
  CHECK(imd_store_define_function(store, name, options, options ? IMD_ZERO_TERMINATED : 0, selector,
                                  &f, release, &error) == status);
  CHECK_TEXT(error.message, message);
  CHECK(f.released == 0);
}

static void test_refusals(void) {
  imd_store *store = open_store(), *quakes = NULL;
  function a = {.returns = ARRAY}, b = {.returns = ARRAY};
  define(store, "a", "{\"inputs\":[\"rate\"]}", &a);
  define(store, "b", "{\"inputs\":[\"a\"]}", &b);
  refuse(store, "a", "{\"inputs\":[\"items\",\"b\"]}", call, IMD_INVALID_ARGUMENT,
         "the selector would be its own input: \"a\" needs \"b\" needs \"a\"; nothing was changed");
  check_select(store, "b", NULL, "[[2]]");
  refuse(store, "c", NULL, NULL, IMD_INVALID_ARGUMENT, "selector must not be NULL");
  refuse(store, NULL, NULL, call, IMD_INVALID_ARGUMENT, "name must not be NULL");
  refuse(store, "", NULL, call, IMD_INVALID_ARGUMENT,
         "the name of a selector must not be empty");
  refuse(store, "c", "{\"input\":[\"rate\"]}", call, IMD_INVALID_ARGUMENT,
         "unknown option \"input\"; did you mean \"inputs\"?");
  refuse(store, "c", "{\"inputs\":\"rate\"}", call, IMD_INVALID_ARGUMENT,
         "options/inputs: expected an array, found a string");
  refuse(store, "c", "{\"inputs\":[\"rate[\"]}", call, IMD_INVALID_SELECTOR,
         "expected a number, \":\" or \"*\", found the end\n  rate[\n       ^");
  CHECK(imd_store_open("quakes", NULL, 0, &quakes, NULL) == IMD_OK);
  refuse(quakes, "selectQuakesCount", NULL, call, IMD_INVALID_ARGUMENT,
         "the selector \"selectQuakesCount\" of the domain cannot be replaced; choose another "
         "name");
  define(quakes, "count", "{\"inputs\":[\"selectQuakesCount\"]}", &a);
  check_select(quakes, "count", NULL, "[0]");
  imd_store_close(quakes);
  CHECK(a.released == 1);
  imd_store_close(store);
  CHECK(a.released == 2 && b.released == 1);
  refuse(store, "c", NULL, call, IMD_CLOSED, "the store was closed; open another one");
}

static void test_description(void) {
  imd_store *store = open_store();
  function f = {.returns = ARRAY};
  char *text = NULL;
  size_t length = 0;
  define(store, "f", "{\"inputs\":[\"rate\"],\"each\":\"items\",\"arguments\":[\"x\"]}", &f);
  CHECK(imd_store_describe(store, &text, &length, NULL) == IMD_OK);
  CHECK_TEXT(text,
             "{\"selectors\":[{\"arguments\":{\"additionalProperties\":false,\"properties\":{\"x\":"
             "{}},\"required\":[\"x\"],\"type\":\"object\"},"
             "\"each\":\"items\",\"inputs\":[\"rate\"],\"name\":\"f\"},"
             "{\"arguments\":{\"additionalProperties\":false,\"properties\":{},"
             "\"required\":[],\"type\":\"object\"},"
             "\"expression\":\"rate\",\"incremental\":true,\"name\":\"rate\"},"
             "{\"arguments\":{\"additionalProperties\":false,\"properties\":{},"
             "\"required\":[],\"type\":\"object\"},"
             "\"expression\":\"unused\",\"incremental\":true,\"name\":\"unused\"}]}");
  CHECK(text && length == strlen(text));
  imd_free(text);
  imd_store_close(store);
}

/* ---- Dependencies ---------------------------------------------------------------------------- */

/* Of the dependency "rate", which has the index 1, only steps of two or more are changes. */
static int differs(void *context, size_t index, const imd_value *last, const imd_value *output) {
  watch *watch = context;
  int64_t old = 0, new = 0;
  snprintf(watch->compared + strlen(watch->compared), 200 - strlen(watch->compared), "%zu: ",
           index);
  append(watch->compared, last);
  append(watch->compared, output);
  CHECK(imd_value_get_integer(last, "", &old, NULL) == IMD_OK);
  CHECK(imd_value_get_integer(output, "", &new, NULL) == IMD_OK);
  return index != 1 || new - old >= 2;
}

static void test_comparison_of_dependencies(void) {
  imd_store *store = open_store();
  watch watch = {.seen = ""};
  const imd_observer_functions functions = {.observer = record, .dependency_did_change = differs};
  CHECK(imd_store_define_selector(store, "both", "[rate, unused]", NULL) == IMD_OK);
  CHECK(imd_store_observe_with_functions(store, "both", NULL, 0,
                                         "{\"dependencies\":[\"unused\",\"rate\"]}",
                                         IMD_ZERO_TERMINATED, &functions, &watch, NULL, NULL,
                                         NULL) == IMD_OK);
  merge(store, "{\"rate\":3}");
  merge(store, "{\"items\":[]}");
  CHECK_TEXT(watch.seen, "[2,0] ");
  merge(store, "{\"rate\":4}");
  merge(store, "{\"unused\":1}");
  CHECK_TEXT(watch.seen, "[2,0] [4,0] [4,1] ");
  CHECK_TEXT(watch.compared, "1: 2 3 1: 2 4 0: 0 1 ");
  imd_store_close(store);
}

int main(void) {
  test_inputs();
  test_each();
  test_arguments();
  test_returns();
  test_failures();
  test_observed_failure();
  test_close_inside();
  test_redefinition();
  test_refusals();
  test_description();
  test_comparison_of_dependencies();
  return check_report();
}
