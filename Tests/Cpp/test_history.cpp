/* Undo, redo, travel and groups, by the functions that throw. */
#include "check.hpp"

#include <vector>

using imd::value;

/* Adds the payload to the state. */
static value reduce(const value &state, const value &action) {
  return state.as<int>() + action["/payload"].as<int>();
}

static void add(imd::store &store, int number) {
  store.dispatch({{"type", "add"}, {"payload", number}});
}

static imd::store make(const value &history = true) {
  return imd::store::create("0", reduce, {{"history", history}});
}

static void test_jumps() {
  auto store = make();
  CHECK(store.undo() == 0 && store.redo() == 0);
  for (int number : {1, 2, 4}) add(store, number);
  CHECK(store.undo() == 1 && store.state() == 3);
  CHECK(store.undo(5) == 2 && store.state() == 0);
  CHECK(store.redo(2) == 2 && store.state() == 3);
  store.travel(1);
  CHECK_JSON(store.state(), "1");
  store.travel(0);
  CHECK_JSON(store.state(), "0");
  CHECK_ERROR(store.travel(17), IMD_NOT_FOUND,
              "there is no step 17; the history has steps from 0 to 3");
}

static void test_steps() {
  auto store = make({{"limit", 2}});
  for (int number : {1, 2, 4}) add(store, number);
  store.undo();
  const value history = value::parse(store.history({{"from", 1}, {"patches", true}}));
  CHECK_JSON(history["/entries/0"].remove("/time"),
             R"({"actions":1,"number":3,"patch":[{"op":"replace","path":"","value":7}],)"
             R"("type":"add","undone":true})");
  CHECK_JSON(history.remove("/entries"), R"({"present":2,"redo":1,"undo":1})");
  CHECK_ERROR(store.history({{"form", 1}}), IMD_INVALID_ARGUMENT,
              "unknown option \"form\"; did you mean \"from\"?");
}

static void test_blame() {
  auto store = make();
  for (int number : {1, 2}) add(store, number);
  const value changes = value::parse(store.blame("", {{"count", 1}}));
  CHECK_JSON(changes["/0"].remove("/time"),
             R"({"after":3,"before":1,"number":2,"step":2,"type":"add"})");
  CHECK(changes.count() == 1 && value::parse(store.blame("")).count() == 2);
  CHECK_JSON(store.blame(imd::pointer("a")), "[]");
  CHECK(store.try_blame("a").error().status() == IMD_INVALID_ARGUMENT);
}

static void test_groups() {
  auto store = make();
  {
    const auto group = store.group();
    add(store, 1);
    auto inner = store.group();
    add(store, 2);
    inner.end();
    inner.end();
    add(store, 4);
  }
  add(store, 8);
  CHECK(store.undo() == 1 && store.state() == 7 && store.undo() == 1 && store.state() == 0);
  try {
    const auto group = store.group();
    add(store, 1);
    add(store, 2);
    throw std::runtime_error("no");
  } catch (const std::runtime_error &) {
  }
  try {
    const auto group = store.group(imd::on_exception::cancel);
    add(store, 16);
    throw std::runtime_error("no");
  } catch (const std::runtime_error &) {
  }
  {
    auto group = store.group();
    add(store, 16);
    group.cancel();
    group.cancel();
  }
  add(store, 4);
  auto group = store.group(), other = std::move(group);
  add(store, 8);
  group.end();
  add(store, 16);
  other = imd::group();
  add(store, 32);
  CHECK(store.undo() == 1 && store.state() == 31 && store.undo() == 1 && store.state() == 7);
  const auto outlives = store.group();
  store.close();
}

static void test_the_selector() {
  auto store = make();
  std::vector<bool> clean;
  const auto observation = store.observe("@@history", [&](const value &shown) {
    clean.push_back(shown["/clean"].as<bool>());
  });
  add(store, 1);
  store.mark_clean();
  store.undo();
  store.redo();
  CHECK((clean == std::vector<bool>{true, false, true, false, true}));
}

static void test_failures() {
  const char *none = "the store has no history; open it with the option {\"history\":true}";
  auto store = imd::store::open("counter");
  CHECK_ERROR(store.undo(), IMD_INVALID_ARGUMENT, none);
  CHECK_ERROR(store.redo(), IMD_INVALID_ARGUMENT, none);
  CHECK_ERROR(store.travel(0), IMD_INVALID_ARGUMENT, none);
  CHECK_ERROR(store.group(), IMD_INVALID_ARGUMENT, none);
  CHECK_ERROR(store.mark_clean(), IMD_INVALID_ARGUMENT, none);
  CHECK_ERROR(store.history(), IMD_INVALID_ARGUMENT, none);
  const char *empty = "the store is empty or was moved from";
  CHECK_ERROR(imd::store().undo(), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().redo(), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().travel(0), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().group(), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().mark_clean(), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().history(), IMD_INVALID_ARGUMENT, empty);
}

int main() {
  test_jumps();
  test_steps();
  test_blame();
  test_groups();
  test_the_selector();
  test_failures();
  return check_report();
}
