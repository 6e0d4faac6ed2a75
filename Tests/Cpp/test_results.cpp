/* The functions that return results, in a program without exceptions. */
#include "check.hpp"
#include "witness.hpp"

#include <vector>

using imd::result;
using imd::value;

#if IMMUTABLEDATA_EXCEPTIONS || defined(__cpp_exceptions)
#error "compile this file with -fno-exceptions"
#endif

struct added {
  std::string title;
  std::optional<int> order;
};
IMD_TYPE(added, title, order)

static result<value> reduce(const value &state, const value &action) {
  const auto type = action.try_as<std::string>("/type");
  if (!type) return type.error();
  if (*type == "add") return state.try_insert("/list/-", *action.try_at("/payload"));
  if (*type == "clear") return state.try_set("/list", std::vector<int>());
  return imd::error(IMD_INVALID_ACTION, "unknown type \"" + *type + "\"");
}

static void test_types() {
  const value object = added{"a", 1};
  CHECK(object.try_as<added>()->order == 1 && object.try_as<added>()->title == "a");
  CHECK(!value(added{"\xFF", {}}).has_value());
  CHECK_FAILURE(value::try_from(added{"\xFF", {}}), IMD_INVALID_ARGUMENT,
                "the text is not UTF-8; pass it as UTF-8");
  CHECK_FAILURE(value(1).try_as<std::vector<added>>(), IMD_INVALID_ARGUMENT,
                "expected an array, found an integer");
  auto store = imd::store::try_create(
      "[]", imd::reducer([](const value &state, const added &action) {
        return state.try_insert("/-", action);
      }),
      {{"schema", imd::store_schema<std::vector<added>, added>()}});
  CHECK(store && store->try_dispatch(added{"a", {}}));
  CHECK_FAILURE(store->try_dispatch(added{"\xFF", {}}), IMD_INVALID_ARGUMENT,
                "the text is not UTF-8; pass it as UTF-8");
  CHECK_FAILURE(store->try_dispatch({{"type", "added"}}), IMD_INVALID_ACTION,
                "\"added\": payload: the member \"title\" is missing; the action has no \"payload\"");
  CHECK_JSON(*store->try_state(), "[{\"title\":\"a\"}]");
}

static void test_values() {
  const char *range = "the integer 9223372036854775808 is out of range; an integer is at most "
                      "9223372036854775807";
  CHECK(!value(std::uint64_t{9223372036854775808u}).has_value());
  CHECK_FAILURE(value::try_from(std::uint64_t{9223372036854775808u}), IMD_LIMIT, range);
  CHECK(!value("\xFF").has_value() && !imd::array({1, value()}).has_value());
  CHECK_FAILURE(value::try_from("\xFF"), IMD_INVALID_ARGUMENT,
                "the text is not UTF-8; pass it as UTF-8");
  CHECK_FAILURE(imd::try_array({1, value()}), IMD_INVALID_ARGUMENT,
                "an element of the array is empty; for an empty object write imd::object(), for an "
                "array imd::array(); imd::value::try_from says why a conversion failed");

  const value state = {{"a", imd::array({1, 2})}, {"b", "c"}};
  CHECK_JSON(*state.try_text(), "{\"a\":[1,2],\"b\":\"c\"}");
  CHECK_JSON(*state.try_remove("/a"), "{\"b\":\"c\"}");
  CHECK_JSON(*state.try_merge({{"a", nullptr}}), "{\"b\":\"c\"}");
  const auto changed = state.try_set("/a/0", 1.5);
  CHECK(changed && changed->contains("/a/0"));
  const auto patch = state.try_diff(*changed);
  CHECK(patch && *state.try_patch(*patch) == *changed);
  CHECK(state.try_as<int>("/a/1").value_or(7) == 2 && state.try_as<int>("/b").value_or(7) == 7);
  CHECK(!*state.try_as<bool>("/b") && state.try_as<imd::text>("/b")->view() == "c");
  const auto read = state.try_read("/a/1");
  CHECK(read && std::get_if<std::int64_t>(&*read) && *std::get_if<std::int64_t>(&*read) == 2);
  CHECK_FAILURE(state.try_read("/x"), IMD_NOT_FOUND,
                "nothing at \"/x\": there is no member \"x\"");

  std::string seen;
  for (const auto &[key, element] : *state.try_members()) seen += std::string(key) + element.try_text()->str();
  for (const auto &[key, element] : *state.try_members("b")) seen += std::string(key) + element.try_text()->str();
  for (const auto &element : *state.try_at("/a")->try_elements()) seen += element.try_text()->str();
  CHECK_TEXT(seen.c_str(), "a[1,2]b\"c\"b\"c\"12");
  for (const auto &element : *value(1).try_elements()) CHECK(element == "a failed result has no elements");
  auto cursor = imd::cursor::try_open(state, "b");
  CHECK(cursor && cursor->next() && cursor->key() == "b" && !cursor->next());
}

static void test_stores() {
  auto opened = imd::store::try_create({{"list", imd::array()}}, reduce);
  CHECK(bool(opened));
  imd::store store = *std::move(opened);
  CHECK(bool(store.try_define_selector("count", "length(list)")));
  int count = -1, calls = 0;
  auto observed = store.try_observe("count", [&, seen = witness()](const value &output) {
    count = *output.try_as<int>();
    calls++;
  });
  auto stream = store.try_stream();
  CHECK(bool(store.try_dispatch({{"type", "add"}, {"payload", "x"}})));
  CHECK(count == 1 && calls == 2 && witness::count == 1);
  CHECK_FAILURE(store.try_dispatch({{"type", "bad"}}), IMD_REDUCER_FAILED, "unknown type \"bad\"");
  CHECK_FAILURE(store.try_dispatch({{"type", "\xFF"}}), IMD_INVALID_ARGUMENT,
                "the text is not UTF-8; pass it as UTF-8");
  CHECK_FAILURE(store.try_dispatch_batch(R"([{"type":"clear"},{"type":"bad"}])"),
                IMD_REDUCER_FAILED,
                "action 2 of 2: unknown type \"bad\"; the batch was not applied");
  CHECK_JSON(*store.try_state(), "{\"list\":[\"x\"]}");
  CHECK_JSON(*store.try_select("count"), "1");
  CHECK_JSON(*store.try_query("list[0]"), "\"x\"");
  CHECK(bool(store.try_define_function("first", {{"inputs", imd::array({"list"})}},
                                       [](const value &list) { return list.try_at("/0"); })));
  CHECK_JSON(*store.try_select("first"), "\"x\"");
  CHECK(store.try_describe()->view().find("\"inputs\":[\"list\"]") != std::string_view::npos);
  CHECK(store.try_statistics()->view().find("\"observations\":1") != std::string_view::npos);
  CHECK(*store.try_poll() == 0 && *store.try_fd() >= 0 && *stream->try_fd() >= 0);
  CHECK_JSON(stream->try_next()->action, "{\"payload\":\"x\",\"type\":\"add\"}");
  CHECK(*stream->try_dropped() == 0);
  CHECK(bool(store.try_dispatch({{"type", "clear"}})));
  CHECK_JSON(*stream->try_next_action(), "{\"type\":\"clear\"}");
  CHECK(bool(store.try_settle()) && count == 0);
  *observed = imd::observation();
  CHECK(witness::count == 0);
  store.close();
  CHECK_FAILURE(store.try_state(), IMD_CLOSED, "the store was closed; open another one");
}

static void test_history() {
  auto store = imd::store::try_create({{"list", imd::array()}}, reduce, {{"history", true}});
  {
    const auto group = store->try_group();
    CHECK(bool(group));
    for (int number : {1, 2})
      CHECK(bool(store->try_dispatch({{"type", "add"}, {"payload", number}})));
  }
  CHECK(*store->try_undo() == 1 && *store->try_undo() == 0);
  CHECK_JSON(*store->try_state(), "{\"list\":[]}");
  CHECK(*store->try_redo(5) == 1 && bool(store->try_travel(0)) && bool(store->try_mark_clean()));
  CHECK(store->try_history()->view().find("\"redo\":1") != std::string_view::npos);
  CHECK(store->try_travel(7).error().status() == IMD_NOT_FOUND);
}

static void test_fetch() {
  auto store = imd::store::try_open("animals", {{"remote", "http://127.0.0.1:1"}});
  CHECK(bool(store->try_set_fetch([](imd::request request, const imd::request_info &info) {
    if (!info.is_streamed) CHECK(bool(request.try_reject("off line")));
  })));
  CHECK(bool(store->try_dispatch({{"type", "ui/categoryList/onAppear"}})));
  CHECK(bool(store->try_settle()));
  CHECK_JSON(*store->try_select("selectCategoriesStatus"),
             R"({"failure":{"error":"no response from http://127.0.0.1:1: off line"}})");
  CHECK(bool(store->try_set_fetch(nullptr)));
}

static void test_library() {
  CHECK(imd::try_domains()->size() > 100);
  CHECK(bool(imd::try_set_limit(IMD_LIMIT_WORK, imd::limit(IMD_LIMIT_WORK))));
}

int main() {
  test_types();
  test_values();
  test_stores();
  test_history();
  test_fetch();
  test_library();
  return check_report();
}
