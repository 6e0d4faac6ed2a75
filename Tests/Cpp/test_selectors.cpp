/* Selectors that are functions, and the comparison of dependencies. */
#include "check.hpp"
#include "witness.hpp"

#include <functional>
#include <vector>

using imd::value;

static imd::store open_store() {
  const value state = {{"items", imd::array({1, 2, 3})}, {"rate", 2}, {"unused", 0}};
  return imd::store::create(state, [](const value &old_state, const value &action) {
    return old_state.merge(action["/payload"]);
  });
}

static void merge(imd::store &store, const value &patch) {
  store.dispatch({{"type", "merge"}, {"payload", patch}});
}

static value sum(const value &items, const value &rate) {
  int sum = 0;
  for (const value &item : items.elements()) sum += item.as<int>();
  return sum * rate.as<int>();
}

static void test_inputs() {
  auto store = open_store();
  int calls = 0;
  store.define_function("total", {{"inputs", imd::array({"items", "rate"})}},
                        [&](const value &items, const value &rate) {
                          calls++;
                          return sum(items, rate);
                        });
  store.define_function("more", {{"inputs", imd::array({"total"})}},
                        [](const value &total) { return total.as<int>() + 1; });
  std::string seen;
  auto observation = store.observe("more", [&](const value &n) { seen += n.text().str() + " "; });
  merge(store, {{"unused", 1}});
  merge(store, {{"items", imd::array({3, 2, 1})}});
  merge(store, {{"rate", 3}});
  CHECK_TEXT(seen.c_str(), "13 19 ");
  CHECK(calls == 3);
  CHECK_JSON(store.select("total"), "18");
  CHECK(calls == 3);
  /* Without options, the input is the state. */
  store.define_function("rate", {}, [](const value &state) { return state["/rate"]; });
  CHECK_JSON(store.select("rate"), "3");
}

static void test_each() {
  auto store = open_store();
  int calls = 0;
  store.define_function("prices", {{"each", "items"}, {"inputs", imd::array({"rate"})}},
                        [&](const value &item, const value &rate) {
                          calls++;
                          return item.as<int>() * rate.as<int>();
                        });
  CHECK_JSON(store.select("prices"), "[2,4,6]");
  merge(store, {{"items", imd::array({1, 5, 3})}});
  CHECK_JSON(store.select("prices"), "[2,10,6]");
  CHECK(calls == 4);
}

static void test_arguments() {
  auto store = open_store();
  store.define_function(
      "scaled", {{"inputs", imd::array({"rate"})}, {"arguments", imd::array({"x", "y"})}},
      [](const value &rate, const value &arguments) {
        return rate.as<int>() * arguments.as<int>("/x") - arguments.as<int>("/y");
      });
  CHECK_JSON(store.select("scaled", {{"x", 7}, {"y", 1}}), "13");
  CHECK_ERROR(store.select("scaled", {{"x", 7}}), IMD_INVALID_ARGUMENT,
              "arguments: the argument \"y\" of \"scaled\" is missing");
}

/* A selector can be a function, a std::function, or a lambda that can only be moved. */
static void test_kinds() {
  auto store = open_store();
  const value inputs = {{"inputs", imd::array({"items", "rate"})}};
  store.define_function("function", inputs, sum);
  const std::function<value(const value &, const value &)> function = sum;
  store.define_function("std", inputs, function);
  auto owned = std::make_unique<int>(5);
  store.define_function("moved", {}, [owned = std::move(owned)](const auto &) { return *owned; });
  CHECK_JSON(store.select("function"), "12");
  CHECK_JSON(store.select("std"), "12");
  CHECK_JSON(store.select("moved"), "5");
  const auto selectors = value::parse(store.describe())["/selectors"];
  CHECK(selectors.count() == 3);
  CHECK_JSON(selectors["/0"].remove("/arguments"),
             "{\"inputs\":[\"items\",\"rate\"],\"name\":\"function\"}");
}

/* ---- Failures -------------------------------------------------------------------------------- */

static void test_failing() {
  auto store = open_store();
  const auto fail = [&](auto selector, const char *message) {
    store.define_function("f", {}, selector);
    CHECK_ERROR(store.select("f"), IMD_INVALID_SELECTOR, message);
  };
  fail([](const value &state) { return state["/no"]; },
       "the selector \"f\": nothing at \"/no\": there is no member \"no\"");
  fail([](const value &) -> value { throw std::logic_error("it broke"); },
       "the selector \"f\": it broke");
  fail([](const value &) -> value { throw 3; },
       "the selector \"f\": an exception that is not a std::exception");
  fail([](const value &) { return imd::result<value>(imd::error(IMD_IO, "returned", 7)); },
       "the selector \"f\": returned");
  CHECK(store.try_select("f").error().code() == 7);
  fail([](const value &) { return value(); },
       "the selector \"f\": it returned an empty value; for null return nullptr");
  store.define_function("f", {}, [](const value &) { return nullptr; });
  CHECK_JSON(store.select("f"), "null");
  store.define_function("f", {}, [&](const value &) { return store.state(); });
  CHECK_FAILURE(store.try_select("f"), IMD_REENTRANT,
                "the selector \"f\": a selector selected from its own store; name what it needs as "
                "an input");
}

static void test_parameters() {
  auto store = open_store();
  const auto one = [seen = witness()](const value &state) { return state; };
  const auto two = [](const value &a, const value &) { return a; };
  const auto refuse = [&](const imd::json &options, auto function, const char *message) {
    const std::string expected = std::string("the selector \"f\": the function takes ") + message;
    CHECK_FAILURE(store.try_define_function("f", options, function), IMD_INVALID_ARGUMENT,
                  expected.c_str());
  };
  refuse({}, two, "2 values, but the selector has 1 input");
  refuse({{"inputs", imd::array({"rate", "items"})}}, one,
         "1 value, but the selector has 2 inputs");
  refuse({{"each", "items"}}, two, "2 values, but the selector has 1 input");
  refuse({{"each", "items"}, {"inputs", imd::array({"rate"})}, {"arguments", imd::array({"x"})}},
         two, "2 values, but the selector has 2 inputs, and one object of all arguments");
  CHECK_FAILURE(store.try_define_function("f", R"({"inputs":"rate"})", two), IMD_INVALID_ARGUMENT,
                "options/inputs: expected an array, found a string");
  CHECK(store.try_define_function("f", "{", one).error().status() == IMD_INVALID_JSON);
  CHECK_FAILURE(store.try_select("f"), IMD_UNKNOWN_SELECTOR,
                "unknown selector \"f\"; query evaluates an expression; to select or observe one, "
                "define it as a selector first");
}

static void test_released() {
  const auto define = [](imd::store &store) {
    store.define_function("f", {}, [seen = witness()](const value &state) { return state; });
  };
  {
    auto store = open_store();
    define(store);
    CHECK(witness::count == 1);
    define(store);
    CHECK(witness::count == 1);
    CHECK(!store.try_define_function("f", {{"inputs", imd::array({"a["})}},
                                     [seen = witness()](const value &a) { return a; }));
    CHECK(witness::count == 1);
  }
  CHECK(witness::count == 0);
  imd::store empty;
  CHECK_ERROR(define(empty), IMD_INVALID_ARGUMENT, "the store is empty or was moved from");
  CHECK(witness::count == 0);
}

/* ---- Dependencies ---------------------------------------------------------------------------- */

static std::vector<std::string> reported;

static void test_comparison_of_dependencies() {
  auto store = open_store();
  store.define_selector("rate", "rate");
  store.define_selector("unused", "unused");
  store.define_selector("both", "[rate, unused]");
  const value options = {{"dependencies", imd::array({"unused", "rate"})}};
  std::string seen, compared;
  const auto show = [&](const value &both) { seen += both.text().str(); };
  auto observation = store.observe(
      "both", show, {}, options, nullptr, nullptr,
      [&](std::size_t index, const value &last, const value &output) {
        compared += std::to_string(index) + ":" + last.text().str() + output.text().str() + " ";
        return index == 0 || output.as<int>() > last.as<int>() + 1;
      });
  merge(store, {{"rate", 3}});
  merge(store, {{"rate", 4}});
  merge(store, {{"unused", 1}});
  CHECK_TEXT(seen.c_str(), "[2,0][4,0][4,1]");
  CHECK_TEXT(compared.c_str(), "1:23 1:24 0:01 ");
  observation.cancel();

  imd::set_error_handler([](const imd::error &error) noexcept {
    reported.push_back(error.what());
  });
  observation = store.observe("both", show, {}, options, nullptr, nullptr,
                              [](std::size_t, const value &, const value &) -> bool {
                                throw std::logic_error("compared");
                              });
  seen.clear();
  merge(store, {{"rate", 5}});
  CHECK_TEXT(seen.c_str(), "[5,1]");
  CHECK(reported.size() == 1);
  CHECK_TEXT(reported.at(0).c_str(),
             "comparison of dependencies of the observer of \"both\": compared");
  imd::set_error_handler(nullptr);
}

int main() {
  test_inputs();
  test_each();
  test_arguments();
  test_kinds();
  test_failing();
  test_parameters();
  test_released();
  test_comparison_of_dependencies();
  return check_report();
}
