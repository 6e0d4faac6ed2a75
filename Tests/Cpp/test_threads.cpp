/* One store, stream and value, used from several threads. */
#include "check.hpp"
#include "witness.hpp"

#include <thread>
#include <vector>

using imd::value;

static const int threads = 4, actions = 50;

static void test_dispatching() {
  auto store = imd::store::create({{"count", 0}, {"big", imd::array({1, 2, 3})}},
                                  [](const value &state, const value &action) {
                                    const int count = state.as<int>("/count");
                                    return state.set("/count", count + action.as<int>("/payload"));
                                  });
  store.define_selector("count", "count");
  int last = -1;
  bool rises = true;
  auto observation = store.observe("count", [&, seen = witness()](const value &count) {
    rises = rises && count.as<int>() > last;
    last = count.as<int>();
  });
  /* Called once before there are threads: ThreadSanitizer does not recognize the one-time
   * initialization of Swift globals, and reports a race for the second thread that reads one. */
  store.dispatch({{"type", "add"}, {"payload", 0}});
  auto stream = store.stream({{"overflow", "block"}, {"capacity", 16}});
  int streamed = 0;
  std::thread reader([&] {
    while (auto commit = stream.try_next()) {
      CHECK(commit->old_state.as<int>("/count") == streamed);
      streamed++;
      CHECK(commit->new_state.as<int>("/count") == streamed);
    }
  });
  const value big = store.state()["/big"];
  std::vector<std::thread> dispatchers;
  for (int i = 0; i < threads; i++)
    dispatchers.emplace_back([&, big] {
      for (int n = 0; n < actions; n++) {
        store.dispatch({{"type", "add"}, {"payload", 1}});
        const value copy = store.state()["/big"];
        CHECK(copy.is_identical(big));
      }
    });
  for (auto &thread : dispatchers) thread.join();
  store.close(); /* the reader reads what waits, and ends */
  reader.join();
  CHECK(streamed == threads * actions && last == threads * actions && rises);
  CHECK(witness::count == 0);
  CHECK_JSON(big, "[1,2,3]");
}

/* Closing a stream wakes a thread that waits for it; closing a store does too. */
static void test_closing() {
  auto store = imd::store::open("counter");
  auto stream = store.stream(), other = store.stream();
  std::vector<std::thread> readers;
  for (auto *waits : {&stream, &other})
    readers.emplace_back([waits] { CHECK(waits->try_next().error().status() == IMD_CLOSED); });
  stream.close();
  store.close();
  for (auto &thread : readers) thread.join();
}

/* A dispatch either succeeds or yields IMD_CLOSED. */
static void test_closing_while_dispatching() {
  auto store = imd::store::create("0", [seen = witness()](const value &state, const value &) {
    return value(state.as<int>() + 1);
  });
  std::thread dispatcher([&] {
    for (;;) {
      const auto ended = store.try_dispatch({{"type", "x"}});
      if (ended) continue;
      CHECK(ended.error().status() == IMD_CLOSED);
      return;
    }
  });
  store.close();
  dispatcher.join();
  CHECK(witness::count == 0);
}

int main() {
  test_dispatching();
  test_closing();
  test_closing_while_dispatching();
  return check_report();
}
