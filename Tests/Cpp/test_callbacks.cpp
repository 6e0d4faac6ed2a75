/* Reducers and observers: their results, exceptions and lifetimes. */
#include "check.hpp"
#include "witness.hpp"

#include <functional>
#include <unistd.h>
#include <vector>

using imd::value;

static std::vector<std::string> reported;

static void report(const imd::error &error) noexcept {
  std::string what = std::string(imd::status_name(error.status())) + " " + error.what();
  if (std::exception_ptr thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::logic_error &) {
      what += " (logic_error)";
    } catch (...) {
      what += " (exception)";
    }
  }
  reported.push_back(what);
}

static void check_reported(std::initializer_list<const char *> expected) {
  CHECK(reported.size() == expected.size());
  std::size_t i = 0;
  for (const char *text : expected)
    CHECK_TEXT(i < reported.size() ? reported[i++].c_str() : "", text);
  reported.clear();
}

static value merge(const value &state, const value &action) {
  return state.merge(action["/payload"]);
}

static value set(const value &payload) { return {{"type", "set"}, {"payload", payload}}; }

/* ---- Reducers ------------------------------------------------------------------------------ */

/* An exception without a message. */
template <class Base> struct silent : Base {
  using Base::Base;
  const char *what() const noexcept override { return nullptr; }
};

static imd::result<value> misbehave(const value &state, const value &action) {
  const auto type = action.as<std::string>("/type");
  if (type == "keep") return state;
  if (type == "empty") return value();
  if (type == "action") return action;
  if (type == "error") return imd::error(IMD_IO, "returned");
  if (type == "ok") return imd::error(IMD_OK, "an error without a status");
  if (type == "throw error") throw imd::error(IMD_IO, "thrown", 7);
  if (type == "throw long") {
    std::string message(253, 'x');
    throw std::runtime_error(message + "\u00e9\u00e9");
  }
  if (type == "throw int") throw 3;
  if (type == "throw silent") throw silent<std::exception>();
  if (type == "throw silent error") throw silent<imd::error>(IMD_IO, "unused");
  if (type == "throw logic") throw std::invalid_argument(type);
  return state["/no/such"];
}

static void check_rejected(imd::store &store, const char *type, const char *message) {
  CHECK_ERROR(store.dispatch({{"type", type}}), IMD_REDUCER_FAILED, message);
  CHECK_FAILURE(store.try_dispatch({{"type", type}}), IMD_REDUCER_FAILED, message);
}

static void test_reducers() {
  auto store = imd::store::create(R"({"a":1})", misbehave);
  const value before = store.state();
  store.dispatch({{"type", "keep"}});
  store.dispatch({{"type", "empty"}});
  check_rejected(store, "error", "returned");
  check_rejected(store, "ok", "an error without a status");
  check_rejected(store, "throw error", "thrown");
  try {
    store.dispatch({{"type", "throw error"}});
    CHECK(false);
  } catch (const imd::error &error) {
    CHECK(error.status() == IMD_REDUCER_FAILED && error.code() == 7);
    CHECK(imd::error("here", error).code() == 7);
  }
  check_rejected(store, "throw int", "an exception that is not a std::exception");
  check_rejected(store, "throw logic", "throw logic");
  check_rejected(store, "throw silent", "an exception without a message");
  check_rejected(store, "throw silent error", "an exception without a message");
  check_rejected(store, "other", "nothing at \"/no/such\": there is no member \"no\"");
  check_rejected(store, "throw long", (std::string(253, 'x') + "\u00e9").c_str());
  CHECK(store.state().is_identical(before));
  CHECK_ERROR(store.dispatch_batch(R"([{"type":"action"},{"type":"throw error"}])"),
              IMD_REDUCER_FAILED, "action 2 of 2: thrown; the batch was not applied");
  CHECK(store.state().is_identical(before));
  store.dispatch({{"type", "action"}});
  CHECK_JSON(store.state(), "{\"type\":\"action\"}");
}

/* A reducer can be a function, a mutable or move-only lambda, or a std::function. */
static void test_kinds_of_reducers() {
  auto owned = std::make_unique<int>(0);
  auto count = [owned = std::move(owned)](const value &, const value &) mutable {
    return value(++*owned);
  };
  auto store = imd::store::create("0", std::move(count));
  store.dispatch({{"type", "x"}});
  CHECK_JSON(store.state(), "1");
  std::function<value(const value &, const value &)> function = merge;
  auto other = imd::store::create("{}", function);
  other.dispatch(set({{"a", 1}}));
  CHECK_JSON(other.state(), "{\"a\":1}");
}

static void test_reentrant_reducer() {
  imd::store store;
  store = imd::store::create("{}", [&store](const value &state, const value &) {
    static_cast<void>(store.try_state());
    return state;
  });
  CHECK(store.try_dispatch({{"type", "x"}}).error().status() == IMD_REENTRANT);
}

static void test_released_reducer() {
  {
    auto store = imd::store::create("{}", [seen = witness()](const value &state, const value &) {
      return state;
    });
    CHECK(witness::count == 1);
    auto moved = std::move(store);
    CHECK(witness::count == 1);
  }
  CHECK(witness::count == 0);
  CHECK(!imd::store::try_create("{", [seen = witness()](const value &state, const value &) {
    return state;
  }));
  CHECK(witness::count == 0);
}

/* ---- Observers ----------------------------------------------------------------------------- */

static void test_observers() {
  auto store = imd::store::create(R"({"n":1,"list":[1]})", merge);
  store.define_selector("n", "n");
  store.define_selector("total", "sum(list)");
  std::string seen;
  auto values = store.observe("n", [&](const value &n) { seen += n.text().str() + " "; });
  auto deliveries = store.observe(
      "total",
      [&](const imd::delivery &delivery) {
        seen += delivery.kind() == IMD_DELIVERY_FAILURE
                    ? std::string(imd::status_name(delivery.error().status())) +
                          (delivery.value().has_value() ? "?" : " ")
                    : delivery.value().text().str() + (delivery.error().status() ? "?" : "; ");
      },
      {}, {{"deliver", "patch"}});
  store.dispatch(set({{"n", 2}}));
  store.dispatch(set({{"list", imd::array({1, 2})}}));
  store.dispatch(set({{"list", imd::array({"x"})}}));
  CHECK_TEXT(seen.c_str(), "1 1; 2 [{\"op\":\"replace\",\"path\":\"\",\"value\":3}]; "
                           "IMD_INVALID_SELECTOR ");
  values.cancel();
  values.cancel();
  seen.clear();
  store.dispatch(set({{"n", 3}}));
  CHECK_TEXT(seen.c_str(), "");
  CHECK_ERROR(store.observe("m", [](const value &) {}), IMD_UNKNOWN_SELECTOR,
              "unknown selector \"m\"; expected one of: \"n\", \"total\"");
}

static void test_queue() {
  auto store = imd::store::create(R"({"n":1})", merge);
  store.define_selector("n", "n");
  std::size_t skipped = 0;
  int last = 0;
  auto observation = store.observe(
      "n",
      [&](const imd::delivery &delivery) {
        skipped += delivery.skipped();
        last = delivery.value().as<int>();
      },
      {}, {{"when", "queued"}, {"coalesce", true}});
  for (int i = 2; i < 5; i++) store.dispatch(set({{"n", i}}));
  CHECK(last == 0 && store.fd() >= 0 && store.poll() == 1 && last == 4 && skipped == 3);
}

/* What observers throw reaches the handler, and neither the dispatch nor other observers. */
static void test_throwing_observers() {
  imd::set_error_handler(report);
  auto store = imd::store::create(R"({"n":1})", merge);
  store.define_selector("n", "n");
  store.define_selector("next", "sum([n, `1`])");
  int calls = 0;
  auto first = store.observe("n", [](const value &n) {
    if (n == 1) throw std::logic_error("one");
    if (n == 2) throw imd::error(IMD_TIMEOUT, "two");
    if (n == 3) throw 3;
  });
  auto second = store.observe("next", [&](const value &) { calls++; });
  check_reported({"IMD_REDUCER_FAILED observer of \"n\": one (logic_error)"});
  store.dispatch(set({{"n", 2}}));
  store.dispatch(set({{"n", 3}}));
  CHECK(calls == 3);
  check_reported({"IMD_TIMEOUT observer of \"n\": two (exception)",
                  "IMD_REDUCER_FAILED observer of \"n\": an exception that is not a "
                  "std::exception (exception)"});
  store.dispatch(set({{"n", "x"}})); /* the selector "next" fails */
  CHECK(calls == 3 && reported.size() == 1);
  CHECK(reported.at(0).find(
            "IMD_INVALID_SELECTOR observer of \"next\": argument 1 of sum()") == 0);
  reported.clear();
  imd::set_error_handler(nullptr);
}

static void test_trace() {
  auto store = imd::store::create(R"({"n":0})", merge);
  std::string lines;
  store.set_trace([&, seen = witness()](std::string_view line) { lines += std::string(line) + "\n"; });
  store.dispatch(set({{"n", 1}}));
  CHECK(lines.find(R"("changes":[{"op":"replace","path":"/n","value":1}])") != std::string::npos);
  imd::set_error_handler(report);
  store.set_trace([](std::string_view) { throw std::logic_error("full"); });
  store.dispatch(set({{"n", 2}}));
  check_reported({"IMD_REDUCER_FAILED trace: full (logic_error)"});
  imd::set_error_handler(nullptr);
  store.set_trace(nullptr);
  lines.clear();
  store.dispatch(set({{"n", 3}}));
  CHECK(lines.empty() && reported.empty());
}

static bool is_far(const value &delivered, const value &output) {
  const int difference = output.as<int>() - delivered.as<int>();
  return difference <= -2 || difference >= 2;
}

static void test_comparisons_and_filters() {
  auto store = imd::store::create(R"({"n":0})", merge);
  store.define_selector("n", "n");
  std::string far, kept;
  auto compared = store.observe("n", [&](const value &n) { far += n.text().str(); }, {}, {}, is_far);
  auto filtered = store.observe(
      "n", [&](const imd::delivery &delivery) { kept += delivery.value().text().str(); }, {}, {},
      nullptr,
      [seen = witness()](const value &action, const value &old_state, const value &new_state) {
        return action["/type"] == "set" && old_state["/n"].as<int>() % 2 == 1 &&
               new_state["/n"].as<int>() % 2 == 0;
      });
  for (int i = 1; i <= 5; i++) store.dispatch(set({{"n", i}}));
  CHECK_TEXT(far.c_str(), "024");
  CHECK_TEXT(kept.c_str(), "024");
  CHECK(witness::count == 1);
  filtered.cancel();
  CHECK(witness::count == 0);
  const auto all = [](const value &, const value &, const value &) { return true; };
  auto quakes = imd::store::open("quakes");
  CHECK_ERROR(quakes.observe("selectQuakesCount", [](const value &) {}, {}, {}, nullptr, all),
              IMD_INVALID_ARGUMENT,
              "a filter function needs a store with your own reducer; choose one of the domain with "
              "the option \"filter\": \"filterQuakes\"");
}

/* The handler gets what they throw, and nothing is lost. */
static void test_throwing_comparisons_and_filters() {
  imd::set_error_handler(report);
  auto store = imd::store::create(R"({"n":0})", merge);
  store.define_selector("n", "n");
  std::string seen;
  auto observation = store.observe(
      "n", [&](const value &n) { seen += n.text().str(); }, {}, {},
      [](const value &, const value &) -> bool { throw std::logic_error("compared"); },
      [&](const value &action, const value &, const value &) -> bool {
        store.dispatch(action);
        return false;
      });
  store.dispatch(set({{"n", 1}}));
  CHECK_TEXT(seen.c_str(), "01");
  check_reported({"IMD_REENTRANT filter of the observer of \"n\": the filter of an observer "
                  "dispatched an action; dispatch in the observer instead (exception)",
                  "IMD_REDUCER_FAILED comparison of the observer of \"n\": compared (logic_error)"});
  imd::set_error_handler(nullptr);
}

/* Without a handler, the message is printed to stderr. */
static void test_printed_error() {
  auto store = imd::store::create(R"({"n":1})", merge);
  store.define_selector("n", "n");
  std::FILE *file = std::tmpfile();
  const int previous = dup(STDERR_FILENO);
  CHECK(file && previous >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
  store.observe("n", [](const value &) { throw std::runtime_error("boom"); }).detach();
  std::fflush(stderr);
  CHECK(dup2(previous, STDERR_FILENO) >= 0 && close(previous) == 0);
  char printed[100] = "";
  std::rewind(file);
  CHECK(std::fgets(printed, sizeof printed, file) != nullptr);
  CHECK_TEXT(printed, "immutabledata: observer of \"n\": boom\n");
  CHECK(std::fclose(file) == 0);
}

static void test_observer_that_dispatches() {
  auto store = imd::store::create(R"({"n":0})", merge);
  store.define_selector("n", "n");
  std::string seen;
  auto observation = store.observe("n", [&](const value &n) {
    seen += n.text().str();
    if (n.as<int>() < 3) store.dispatch(set({{"n", n.as<int>() + 1}}));
    CHECK(store.try_settle().error().status() == IMD_REENTRANT);
  });
  CHECK_TEXT(seen.c_str(), "0123");
}

static void test_observers_that_cancel() {
  auto store = imd::store::create(R"({"n":0})", merge);
  store.define_selector("n", "n");
  int calls = 0;
  auto at_once = store.observe("n", [&, seen = witness()](const imd::delivery &delivery) {
    calls++;
    delivery.cancel();
    CHECK(witness::count == 1);
  });
  CHECK(calls == 1 && witness::count == 0);
  imd::observation later;
  later = store.observe(
      "n",
      [&, seen = witness()](const value &) {
        calls++;
        later = imd::observation();
        CHECK(witness::count == 1);
      },
      {}, {{"initial", false}});
  store.dispatch(set({{"n", 1}}));
  store.dispatch(set({{"n", 2}}));
  CHECK(calls == 2 && witness::count == 0);
}

static void test_ownership_of_observations() {
  int calls = 0;
  auto count = [&, seen = witness()](const value &) { calls++; };
  const int own = witness::count;
  imd::observation outlives, moved;
  {
    auto store = imd::store::create(R"({"n":0})", merge);
    store.define_selector("n", "n");
    { auto scoped = store.observe("n", count); }
    CHECK(calls == 1 && witness::count == own);
    store.observe("n", count).detach();
    outlives = store.observe("n", count);
    moved = std::move(outlives);
    outlives.cancel(); /* empty */
    imd::observation &alias = moved;
    moved = std::move(alias);
    CHECK(outlives.handle() == nullptr && moved.handle() != nullptr);
    store.dispatch(set({{"n", 1}}));
    CHECK(calls == 5 && witness::count == own + 2);
    moved = store.observe("n", count); /* cancels the one before */
    store.dispatch(set({{"n", 2}}));
    CHECK(calls == 8 && witness::count == own + 2);
    CHECK(!store.try_observe("m", count) && witness::count == own + 2);
  }
  CHECK(witness::count == own);
  moved.cancel();
}

int main() {
  test_reducers();
  test_kinds_of_reducers();
  test_reentrant_reducer();
  test_released_reducer();
  test_observers();
  test_queue();
  test_throwing_observers();
  test_trace();
  test_comparisons_and_filters();
  test_throwing_comparisons_and_filters();
  test_printed_error();
  test_observer_that_dispatches();
  test_observers_that_cancel();
  test_ownership_of_observations();
  return check_report();
}
