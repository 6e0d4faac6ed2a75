/* Stores, streams and the library, by the functions that throw. */
#include "check.hpp"

#include <limits>
#include <map>
#include <unistd.h>
#include <vector>

using imd::value;
using namespace std::chrono_literals;

static const char increment[] = "{\"type\":\"didTapIncrementButton\"}";

/* The payload is merged into the state; "fail" is rejected. */
static value reduce(const value &state, const value &action) {
  if (action["/type"] == "fail") throw std::runtime_error("no");
  return state.merge(action["/payload"]);
}

static void test_library() {
  CHECK_TEXT(imd::version(), IMD_VERSION);
  CHECK_TEXT(imd::status_name(IMD_LIMIT), "IMD_LIMIT");
  CHECK(value::parse(imd::domains())["/1/name"] == "counter");
  const auto before = imd::limit(IMD_LIMIT_TEXT);
  const value text = std::string(100, 'x');
  imd::set_limit(IMD_LIMIT_TEXT, 50);
  CHECK(imd::limit(IMD_LIMIT_TEXT) == 50);
  auto store = imd::store::open("counter");
  CHECK_ERROR(store.dispatch({{"type", "x"}, {"payload", text}}), IMD_LIMIT,
              "the action is beyond a limit: the text of the value would have more than 50 bytes");
  imd::set_limit(IMD_LIMIT_TEXT, before);
  CHECK_ERROR(imd::set_limit(IMD_LIMIT_TEXT, 0), IMD_INVALID_ARGUMENT,
              "the text limit must be from 1 to 2147483647, not 0");
}

/* What converts to a value, if the value is a temporary. */
struct convertible {
  operator value() const { return imd::array({1}); }
};

static void check_braces(const imd::json &braces, const value &made, const char *file, int line) {
  const std::string text(braces.data(), braces.size());
  check_json(value::parse(text), std::string(made.text().view()).c_str(), file, line);
}

/* Braces are written as the text of the value that they would make. */
#define CHECK_BRACES(...)                                                        \
  do {                                                                           \
    check_braces(__VA_ARGS__, value __VA_ARGS__, __FILE__, __LINE__);            \
  } while (0)

#define CHECK_UNWRITTEN(status, message, ...)                                    \
  do {                                                                           \
    const imd::json braces __VA_ARGS__;                                          \
    CHECK(braces.failure().has_value());                                         \
    check_error(braces.failure().value_or(imd::error(IMD_OK, "")), status, message, __FILE__, \
                __LINE__);                                                       \
  } while (0)

static void test_braces() {
  using limits = std::numeric_limits<std::int64_t>;
  CHECK_BRACES({{"type", "added"}, {"payload", {{"id", "a/b"}, {"at", {{"x", 1}, {"y", -2}}}}}});
  CHECK_BRACES({{"null", nullptr}, {"true", true}, {"false", false}, {"", ""}});
  CHECK_BRACES({{"least", limits::min()}, {"most", limits::max()}, {"small", short{-7}}});
  CHECK_BRACES({{"unsigned", std::uint64_t{9223372036854775807u}}, {"zero", 0u}});
  CHECK_BRACES({{"a", 0.1}, {"b", 1.0}, {"c", -0.0}, {"d", 1e300}, {"e", 5e-324}, {"f", 0.1f}});
  CHECK_BRACES({{"g", 1e16}, {"h", 123456789012345680.0}, {"i", 1e22}, {"j", 2.5L}, {"k", 1e-7}});
  CHECK_BRACES({{"control", "\x01\x1f\n\t\"\\/\x7f"}, {"quo\"te\\\n", 1}, {"é", "é\u2028😀"}});
  CHECK_BRACES({{"nul", std::string("a\0b", 3)}, {"view", std::string_view("abc").substr(1)}});
  CHECK_BRACES({{"long", std::string(1000, 'x')}, {std::string(300, 'k'), std::string(300, '"')}});
  CHECK_BRACES({{"twice", 1}, {"twice", 2}});
  CHECK_BRACES({{"value", imd::array({1, "two", {{"n", 3}}})}, {"object", imd::object()}});
  CHECK_BRACES({{"vector", std::vector<int>{1, 2}}, {"empty", std::vector<value>{}}});
  CHECK_BRACES({{"bools", std::vector<bool>{true, false}},
                {"map", std::map<std::string, std::vector<double>>{{"b", {1}}, {"a", {}}}},
                {"none", std::map<std::string, int>{}}});
  CHECK_BRACES({{"values", std::vector<value>{1, "x", nullptr}}, {"converted", convertible()}});
  const char *const pointer = "text";
  const int numbers[] = {3, 4};
  CHECK_BRACES({{"pointer", pointer}, {pointer, numbers}});
  const imd::value::member member("made", 5);
  CHECK_BRACES({member, {"other", 6}});

  CHECK_UNWRITTEN(IMD_INVALID_ARGUMENT, "the text is not UTF-8; pass it as UTF-8",
                  {{"a", {{"b", "\xFF"}}}});
  CHECK_UNWRITTEN(IMD_INVALID_ARGUMENT, "the pointer is not UTF-8; pass it as UTF-8",
                  {{"\xFF", 1}});
  CHECK_UNWRITTEN(IMD_INVALID_ARGUMENT,
                  "the pointer contains U+0000, which ends a C string; remove it",
                  {{std::string_view("a\0b", 3), 1}});
  CHECK_UNWRITTEN(IMD_INVALID_ARGUMENT, "JSON has no nan; pass a finite number",
                  {{"a", std::nan("")}});
  CHECK_UNWRITTEN(IMD_INVALID_ARGUMENT, "JSON has no inf; pass a finite number",
                  {{"a", std::vector<double>{1, std::numeric_limits<double>::infinity()}}});
  CHECK_UNWRITTEN(IMD_LIMIT,
                  "the integer 9223372036854775808 is out of range; an integer is at most "
                  "9223372036854775807",
                  {{"a", std::uint64_t{9223372036854775808u}}});
  CHECK_UNWRITTEN(IMD_INVALID_ARGUMENT, "the text is NULL; pass nullptr for JSON null",
                  {{"a", static_cast<const char *>(nullptr)}});
  const char *const empty = "the member \"a\" is empty; for an empty object write imd::object(), "
                            "for an array imd::array()";
  CHECK_UNWRITTEN(IMD_INVALID_ARGUMENT, empty, {{"a", {}}});
  CHECK_UNWRITTEN(IMD_INVALID_ARGUMENT, empty, {{"b", {{"a", value()}}}});

  auto store = imd::store::create("{}", reduce);
  CHECK_FAILURE(store.try_dispatch({{"type", "\xFF"}}), IMD_INVALID_ARGUMENT,
                "the text is not UTF-8; pass it as UTF-8");
  value deep = 1;
  for (int i = 0; i < 600; i++) deep = value{{"a", deep}};
  store.dispatch({{"type", "set"}, {"payload", {{"deep", deep}}}});
  CHECK(store.state()["/deep"] == deep);
}

static void test_domain() {
  auto store = imd::store::open("counter", {{"state", {{"value", 40}}}});
  store.dispatch(increment);
  store.dispatch({{"type", "didTapIncrementButton"}, {"meta", {{"by", "test"}}}});
  CHECK_JSON(store.select("selectValue"), "42");
  CHECK_JSON(store.state(), "{\"value\":42}");
  CHECK_JSON(store.confirmed_state(), "{\"value\":42}");
  store.flush();
  CHECK_ERROR(store.dispatch_batch(imd::array({value::parse(increment), {{"type", "x"}}})),
              IMD_INVALID_ACTION,
              "action 2 of 2: unknown action type \"x\"; expected one of: "
              "\"didTapDecrementButton\", \"didTapIncrementButton\"; the batch was not applied");
  imd::preview preview = store.preview(imd::array({value::parse(increment)}));
  CHECK_JSON(preview.state, "{\"value\":43}");
  CHECK_JSON(preview.patch, "[{\"op\":\"replace\",\"path\":\"/value\",\"value\":43}]");
  CHECK_ERROR(store.preview({{"type", "x"}}), IMD_INVALID_ACTION,
              "a batch is an array of actions, not an object");
  CHECK_JSON(store.query("value"), "42");
  store.dispatch_value({{"type", "didTapIncrementButton"}});
  store.dispatch_batch_value(imd::array({value::parse(increment)}));
  CHECK_JSON(store.select_value("selectValue"), "44");
  CHECK_JSON(store.query_value("value == $n", {{"n", 44}}, {{"budget", 100}}), "true");
  CHECK(!store.try_dispatch_value(value()));
  CHECK_ERROR(store.dispatch_value(imd::array()), IMD_INVALID_ACTION,
              "an action is an object such as {\"type\":\"didTapDecrementButton\"}, not an "
              "array; dispatch_batch, in Swift dispatch(batch:), takes an array of "
              "actions");
  CHECK_ERROR(imd::store::open("cuonter"), IMD_UNKNOWN_DOMAIN,
              "unknown domain \"cuonter\"; did you mean \"counter\"?");
  CHECK_ERROR(imd::store::open("counter", {{"stat", 1}}), IMD_INVALID_ARGUMENT,
              "unknown option \"stat\"; did you mean \"state\"?");
  CHECK_ERROR(store.dispatch(value()), IMD_INVALID_ARGUMENT,
              "the value is empty or was moved from");
  const std::string hint = " is empty; for an empty object write imd::object(), for an array imd::array()";
  CHECK_ERROR(store.dispatch({}), IMD_INVALID_ARGUMENT, ("the action" + hint).c_str());
  CHECK_ERROR(store.dispatch_batch({}), IMD_INVALID_ARGUMENT,
              ("the array of actions" + hint).c_str());
  CHECK_ERROR(imd::store::create({}, reduce), IMD_INVALID_ARGUMENT, ("the state" + hint).c_str());
}

static void test_own_reducer() {
  auto store = imd::store::create({{"rows", {{"a", 1}, {"b", 2}}}}, reduce, {{"budget", 100000}});
  store.define_selector("row", "get(rows, $id)");
  CHECK_JSON(store.select("row", {{"id", "b"}}), "2");
  CHECK_JSON(store.select(std::string("row"), R"({"id":"a"})"), "1");
  CHECK_JSON(store.query("sum(values(rows))"), "3");
  CHECK_JSON(store.query("get(rows, $id)", {{"id", "a"}}), "1");
  const auto poor = store.try_query_value("sum(values(rows)) | @", {}, {{"budget", 1}});
  CHECK(!poor && poor.error().status() == IMD_LIMIT);
  CHECK(store.try_select_value("row", {{"id", "c"}}, {{"budget", 1}}).error().status() ==
        IMD_LIMIT);

  const value before = store.state();
  store.dispatch({{"type", "set"}, {"payload", {{"page", 2}}}});
  store.dispatch_batch(R"([{"type":"set","payload":{"x":1}},{"type":"set","payload":{"y":1}}])");
  CHECK(store.state()["/rows"].is_identical(before["/rows"]) && !before.contains("/page"));
  CHECK_JSON(store.state().remove("/rows"), "{\"page\":2,\"x\":1,\"y\":1}");
  CHECK(value::parse(store.statistics()).as<int>("/observations") == 0);
  CHECK_ERROR(store.select("rwo"), IMD_UNKNOWN_SELECTOR,
              "unknown selector \"rwo\"; did you mean \"row\"?");
}

static void test_dispatch_async() {
  auto store = imd::store::create({{"n", 0}}, reduce);
  std::vector<std::string> outcomes;
  const auto note = [&outcomes](const imd::result<void> &outcome) {
    outcomes.push_back(outcome ? "done" : outcome.error().what());
  };
  store.dispatch_async({{"type", "set"}, {"payload", {{"n", 1}}}}, note);
  store.dispatch_async({{"type", "fail"}}, note);
  store.dispatch_async({{"type", "set"}, {"payload", {{"n", 2}}}});
  store.settle();
  CHECK(outcomes == (std::vector<std::string>{"done", "no"}));
  CHECK(store.state()["/n"] == 2);
  CHECK_ERROR(store.dispatch_async("{"), IMD_INVALID_JSON,
              "the action is not JSON: string or '}' expected near end of file; an action is an object "
              "such as {\"type\":\"…\"}");
  imd::set_error_handler([](const imd::error &error) noexcept {
    CHECK_TEXT(error.what(), "outcome of a dispatch: why?");
  });
  store.dispatch_async({{"type", "set"}, {"payload", {{"n", 3}}}},
                       [](const imd::result<void> &) { throw std::runtime_error("why?"); });
  store.settle();
  imd::set_error_handler(nullptr);
}

static void test_backup() {
  char folder[] = "/tmp/imd-cpp-XXXXXX";
  CHECK(mkdtemp(folder) != nullptr);
  const std::string copy = std::string(folder) + "/copy";
  const auto animals = imd::store::open("animals");
  animals.backup(copy);
  CHECK_ERROR(animals.backup(copy), IMD_INVALID_ARGUMENT,
              ("\"" + copy + "\" already exists; remove it, or choose another path").c_str());
  CHECK_JSON(imd::store::open("animals", {{"store", copy}}).query("animals.data"), "{}");
  CHECK(imd::store::open("counter").try_backup(copy).error().status() == IMD_INVALID_ARGUMENT);
  CHECK(unlink(copy.c_str()) == 0 && rmdir(folder) == 0);
}

static void test_optimistic() {
  auto store = imd::store::create("{}", reduce, {{"optimistic", true}});
  const value meta = {{"optimistic", {{"begin", "k"}}}};
  store.dispatch({{"type", "set"}, {"payload", {{"name", "new"}}}, {"meta", meta}});
  CHECK_JSON(store.state(), "{\"name\":\"new\"}");
  const value fail = {{"optimistic", {{"fail", "k"}}}};
  store.dispatch({{"type", "set"}, {"payload", imd::object()}, {"meta", fail}});
  CHECK_JSON(store.state(), "{}");
}

static void test_stream() {
  auto store = imd::store::open("counter");
  auto stream = store.stream({{"capacity", 2}, {"overflow", "dropOldest"}});
  for (int i = 0; i < 3; i++) store.dispatch(increment);
  CHECK(stream.fd() >= 0 && stream.dropped() == 1);
  const auto commit = stream.next();
  CHECK_JSON(commit.action, increment);
  CHECK_JSON(commit.old_state, "{\"value\":1}");
  CHECK_JSON(commit.new_state, "{\"value\":2}");
  auto moved = std::move(stream);
  CHECK_JSON(moved.next_action(), increment);
  CHECK_ERROR(moved.next(0ms), IMD_TIMEOUT, "no action came within 0 ms");
  CHECK_ERROR(moved.next(-1ms), IMD_TIMEOUT, "no action came within 0 ms");
  const char *empty = "the stream is empty or was moved from";
  CHECK_ERROR(stream.next(), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(stream.next_action(), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(stream.dropped(), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(stream.fd(), IMD_INVALID_ARGUMENT, empty);
  moved.close();
  CHECK_ERROR(moved.next(), IMD_CLOSED, "the stream was closed; open another one");
  moved.close();
  CHECK_ERROR(store.stream({{"overflow", "later"}}), IMD_INVALID_ARGUMENT,
              "options/overflow: invalid value \"later\"; expected one of: \"block\", "
              "\"dropOldest\", \"fail\"");
  auto full = store.stream({{"capacity", 1}, {"overflow", "block"}});
  store.set_dispatch_timeout(0ms);
  store.dispatch(increment);
  CHECK_ERROR(store.dispatch(increment), IMD_TIMEOUT,
              "a stream with the overflow \"block\" is still full after 0 ms; read it or close it");
  full.close();
  auto last = store.stream();
  store.dispatch(increment);
  store.close();
  int count = 0;
  while (auto read = last.try_next(std::chrono::hours(1000000))) count++;
  CHECK(count == 1 && last.try_next().error().status() == IMD_CLOSED);
}

static void test_ownership() {
  auto store = imd::store::open("counter"), other = imd::store::open("counter");
  imd_store *handle = store.handle();
  imd::store moved = std::move(store);
  CHECK(moved.handle() == handle && store.handle() == nullptr);
  const char *empty = "the store is empty or was moved from";
  CHECK_ERROR(store.dispatch(increment), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().dispatch_batch("[]"), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().select("x"), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().query("@"), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().define_selector("x", "x"), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().state(), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().statistics(), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().backup("x"), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().observe("x", [](const value &) {}), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().poll(), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().fd(), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().stream(), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().set_fetch(nullptr), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().settle(), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().set_dispatch_timeout(0ms), IMD_INVALID_ARGUMENT, empty);
  imd::store &alias = moved;
  moved = std::move(alias);
  moved.dispatch(increment);
  moved = std::move(other);
  CHECK(imd_store_dispatch(handle, increment, IMD_ZERO_TERMINATED, nullptr) == IMD_CLOSED);
  CHECK_JSON(moved.state(), "{\"value\":0}");
  moved.close();
  moved.close();
  CHECK_ERROR(moved.state(), IMD_CLOSED, "the store was closed; open another one");
  CHECK_ERROR(moved.fd(), IMD_CLOSED, "the store was closed; open another one");
  CHECK_ERROR(moved.poll(), IMD_CLOSED, "the store was closed; open another one");
}

int main() {
  test_library();
  test_braces();
  test_domain();
  test_own_reducer();
  test_dispatch_async();
  test_backup();
  test_optimistic();
  test_stream();
  test_ownership();
  return check_report();
}
