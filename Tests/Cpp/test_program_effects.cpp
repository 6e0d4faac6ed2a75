/* Effects that lambdas perform, and rules: results, exceptions and lifetimes. */
#include "check.hpp"
#include "witness.hpp"

#include <future>
#include <random>
#include <thread>

using imd::value;
using namespace std::chrono_literals;

/* A store whose state is its last action, and whose rule asks for what an action has as payload. */
static imd::store open_store() {
  auto store = imd::store::create(value(nullptr),
                                  [](const value &, const value &action) { return action; });
  store.set_rule([](const value &action, const value &, const value &) {
    return action.at("/type") == value("ask") ? action.at("/payload") : value();
  });
  return store;
}

static value effect_named(const char *name, value arguments = nullptr) {
  return {{"effect", name}, {"arguments", std::move(arguments)}, {"success", "succeeded"},
          {"failure", "failed"}};
}

static void ask(imd::store &store, const value &effect) {
  store.dispatch({{"type", "ask"}, {"payload", imd::array({effect})}});
}

static void test_random_number() {
  auto store = open_store();
  std::mt19937 generator(5);
  store.set_effect("roll", [&](imd::effect effect, const value &arguments) {
    const auto sides = arguments.at("/sides").as<int>();
    CHECK(effect.resolve(1 + int(generator() % unsigned(sides))));
    CHECK(!effect.resolve() && !effect.reject("late"));
    CHECK_FAILURE(effect.try_resolve(), IMD_CLOSED,
                  "the effect has ended: it was answered or cancelled, or its store was closed");
    CHECK_FAILURE(effect.try_reject("late"), IMD_CLOSED,
                  "the effect has ended: it was answered or cancelled, or its store was closed");
  });
  ask(store, effect_named("roll", {{"sides", 6}}));
  store.settle();
  CHECK(store.state().at("/type") == value("succeeded"));
  const auto rolled = store.state().at("/payload").as<int>();
  CHECK(rolled >= 1 && rolled <= 6);
}

/* A timer fires on a thread, when the test says so, with the arguments that it was started with. */
static void test_timer() {
  auto store = open_store();
  std::promise<void> time;
  std::thread thread;
  store.set_effect("timer", [&](imd::effect effect, value arguments) {
    thread = std::thread([&, effect, arguments] {
      time.get_future().wait();
      effect.resolve(arguments);
    });
  });
  ask(store, effect_named("timer", 100));
  CHECK_ERROR(store.settle(0ms), IMD_TIMEOUT, "an effect is still in flight after 0 ms");
  time.set_value();
  store.settle();
  thread.join();
  CHECK_JSON(store.state(), R"({"payload":100,"type":"succeeded"})");
}

/* A timer that fires after its store was closed does nothing, on a thread that catches nothing. */
static void test_timer_of_a_closed_store() {
  std::promise<imd::effect> started;
  auto store = open_store();
  store.set_effect("timer", [&](imd::effect effect, value) { started.set_value(effect); });
  ask(store, effect_named("timer"));
  const imd::effect effect = started.get_future().get();
  store.close();
  std::thread([effect] { CHECK(!effect.resolve() && !effect.reject("late")); }).join();
}

static std::string reported;

static void test_exceptions() {
  imd::set_error_handler([](const imd::error &error) noexcept { reported += error.what(); });
  auto store = open_store();
  store.set_effect("dialog", [](imd::effect, value) { throw std::runtime_error("no display"); });
  ask(store, effect_named("dialog"));
  store.settle();
  CHECK_JSON(store.state(), R"({"payload":{"reason":"no display"},"type":"failed"})");
  CHECK_TEXT(reported.c_str(), "effect \"dialog\": no display");
  reported.clear();

  std::vector<std::string> failed;
  store.set_effect_error_handler([&](const imd::error &error) { failed.push_back(error.what()); });
  store.set_rule([](const value &, const value &, const value &) -> value {
    throw imd::error(IMD_LIMIT, "too much");
  });
  store.dispatch({{"type", "a"}});
  store.settle();
  store.set_rule([](const value &, const value &, const value &) -> imd::result<value> {
    return imd::error(IMD_LIMIT, "far too much");
  });
  store.dispatch({{"type", "a"}});
  store.settle();
  CHECK(failed == (std::vector<std::string>{"too much", "far too much"}));
  store.set_effect_error_handler([](const imd::error &) { throw std::runtime_error("twice"); });
  store.dispatch({{"type", "a"}});
  store.settle();
  CHECK_TEXT(reported.c_str(), "effect error handler: twice");
  reported.clear();
  imd::set_error_handler(nullptr);
}

static void test_lifetimes() {
  auto store = open_store();
  const auto ignore = [seen = witness()](imd::effect, value) {};
  const auto rule = [seen = witness()](const value &, const value &, const value &) {
    return value();
  };
  const auto handler = [seen = witness()](const imd::error &) {};
  CHECK(witness::count == 3);
  for (int i = 0; i < 2; ++i) {
    store.set_effect("e", ignore);
    store.set_rule(rule);
    store.set_effect_error_handler(handler);
    CHECK(witness::count == 6);
  }
  CHECK_ERROR(store.set_effect("", ignore), IMD_INVALID_ARGUMENT,
              "the name of an effect must not be empty");
  CHECK(witness::count == 6);
  store.set_effect("e", nullptr);
  store.set_rule(nullptr);
  store.set_effect_error_handler(nullptr);
  CHECK(witness::count == 3);
  store.set_effect("e", ignore);
  store.set_rule(rule);
  store.set_effect_error_handler(handler);
  store.close();
  CHECK(witness::count == 3);
  CHECK_ERROR(store.set_rule(rule), IMD_CLOSED, "the store was closed; open another one");
  CHECK_ERROR(imd::effect().reject("x"), IMD_INVALID_ARGUMENT,
              "the effect is empty or was moved from");
  CHECK(witness::count == 3);
}

/* Two effects of one key on a manual clock. */
static void test_cancellation() {
  auto store = imd::store::create(
      value(nullptr), [](const value &, const value &action) { return action; },
      {{"clock", "stepped"}});
  store.set_rule([](const value &action, const value &, const value &) {
    return action.at("/type") == value("ask") ? action.at("/payload") : value();
  });
  std::vector<imd::effect> effects;
  std::vector<imd::cancellation> cancellations;
  int told = 0;
  store.set_effect("work", [&](imd::effect effect, const value &) {
    effects.push_back(effect);
    cancellations.push_back(effect.cancellation());
  });
  value work = effect_named("work");
  work = work.set("/key", "work").set("/delay", 10);
  for (int i = 0; i < 2; ++i) {
    ask(store, work);
    store.advance(10ms);
  }
  CHECK(effects.size() == 2 && cancellations[0].requested() && !cancellations[1].requested());
  CHECK(!effects[0].resolve() && !effects[0].on_cancel([] {}));
  CHECK(effects[1].on_cancel([&told] { ++told; }));
  CHECK(effects[1].resolve(7) && told == 0);
  CHECK(store.receive() == 1 && store.receive() == 0);
  CHECK(store.state().at("/payload") == value(7));
  ask(store, work);
  store.advance(10ms);
  CHECK(effects[2].on_cancel([&told] { ++told; }));
  store.close();
  CHECK(told == 1);
}

int main() {
  test_random_number();
  test_cancellation();
  test_timer();
  test_timer_of_a_closed_store();
  test_exceptions();
  test_lifetimes();
  return check_report();
}
