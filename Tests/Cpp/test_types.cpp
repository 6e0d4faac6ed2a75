/* Types of the program: structs and enumerations as values, actions and schemas. */
#include "check.hpp"

#include <cmath>
#include <deque>
#include <limits>
#include <list>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

using imd::value;

namespace app {

enum class lane { todo, doing, done };
IMD_ENUM(lane, todo, doing, done)

enum level { low = 1, high = 7 };
IMD_ENUM(level, low, high)

struct card {
  std::string title;
  lane in = lane::todo;
  std::optional<int> estimate = {};
};
IMD_TYPE(card, title, in, estimate)

struct board {
  std::map<std::string, card> cards;
  std::vector<std::string> order;
};
IMD_TYPE(board, cards, order)

struct added {
  std::string id, title;
};
IMD_TYPE(added, id, title)

struct moved {
  static constexpr auto action_type = "cards/moved";
  std::string id;
  lane to = lane::todo;
};
IMD_TYPE(moved, id, to)

struct cleared {};
IMD_TYPE(cleared)

/* Contains itself. */
struct node {
  std::vector<node> children;
  std::uint8_t byte = 0;
};
IMD_TYPE(node, children, byte)

/* A class whose base is known is not known itself. */
struct derived : card {};

struct everything {
  bool flag = true;
  std::int64_t integer = -1;
  std::uint64_t natural = 2;
  float single = 0.5f;
  double real = 1;
  std::string text = "é\"";
  value any = nullptr;
  level enumeration = high;
  std::list<std::optional<int>> list = {1, std::nullopt};
  std::set<int> set = {3, 1};
  std::unordered_map<std::string, double> map = {{"a/~", 0.5}};
  std::optional<std::vector<bool>> flags = std::vector<bool>{true, false};
};
IMD_TYPE(everything, flag, integer, natural, single, real, text, any, enumeration, list, set, map,
         flags)

struct outer {
  struct inner {
    int n = 1;
  };
};
IMD_TYPE(outer::inner, n)

}  // namespace app

namespace other {

struct card {
  app::card card;
};
IMD_TYPE(card, card)

}  // namespace other

struct widest {
  int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12, m = 13,
      n = 14, o = 15, p = 16, q = 17, r = 18, s = 19, t = 20, u = 21, v = 22, w = 23, x = 24, y = 25,
      z = 26, aa = 27, ab = 28, ac = 29, ad = 30, ae = 31, af = 32;
};
IMD_TYPE(widest, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab,
         ac, ad, ae, af)

using namespace app;

static const char *const all =
    "{\"any\":null,\"enumeration\":\"high\",\"flag\":true,\"flags\":[true,false],\"integer\":-1,"
    "\"list\":[1,null],\"map\":{\"a/~\":0.5},\"natural\":2,\"real\":1.0,\"set\":[1,3],"
    "\"single\":0.5,\"text\":\"é\\\"\"}";

static void test_writing() {
  CHECK_JSON(value(everything()), all);
  CHECK_JSON(value::parse(std::string(imd::json(everything()).data())), all); /* written as text */
  CHECK_JSON(value(card{"Feed"}), "{\"in\":\"todo\",\"title\":\"Feed\"}");
  CHECK_JSON(value(card{"Feed", lane::done, 3}),
             "{\"estimate\":3,\"in\":\"done\",\"title\":\"Feed\"}");
  CHECK_JSON(value(std::vector<card>{{"a"}}), "[{\"in\":\"todo\",\"title\":\"a\"}]");
  CHECK_JSON(value(lane::doing), "\"doing\"");
  CHECK_JSON(value(std::optional<int>()), "null");
  CHECK_JSON(value(cleared()), "{}");
  CHECK_JSON(value(outer::inner()), "{\"n\":1}");
  CHECK(value(widest()).count() == 32 && value(widest())["/af"] == 32);
  const value braces = {{"card", card{"Feed"}}, {"lane", lane::done}};
  CHECK_JSON(braces, "{\"card\":{\"in\":\"todo\",\"title\":\"Feed\"},\"lane\":\"done\"}");
  CHECK_JSON(value(board()).set("/order", std::vector<std::string>{"x"}).set("/cards/x", card{"y"}),
             "{\"cards\":{\"x\":{\"in\":\"todo\",\"title\":\"y\"}},\"order\":[\"x\"]}");
  static_assert(!imd::detail::is_known<derived> && !imd::detail::is_known<std::string>);
  static_assert(imd::action_type<moved>() == "cards/moved");
  static_assert(imd::action_type<outer::inner>() == "inner");

  const char *number = "no enumerator of \"lane\" has the number 7; add it to IMD_ENUM";
  CHECK_FAILURE(value::try_from(static_cast<lane>(7)), IMD_INVALID_ARGUMENT, number);
  CHECK_FAILURE(value::try_from(card{"a", static_cast<lane>(7)}), IMD_INVALID_ARGUMENT, number);
  CHECK_FAILURE(value::try_from(card{"\xFF"}), IMD_INVALID_ARGUMENT,
                "the text is not UTF-8; pass it as UTF-8");
  everything infinite;
  infinite.real = INFINITY;
  CHECK_FAILURE(value::try_from(infinite), IMD_INVALID_ARGUMENT,
                "JSON has no inf; pass a finite number");
  everything empty;
  empty.any = value();
  CHECK(!value::try_from(empty));
  CHECK(imd::json(empty).failure().has_value());
  CHECK(imd::json(card{"a", static_cast<lane>(7)}).failure().has_value());
}

template <class T> static auto read(const char *text) { return value::parse(text).try_as<T>(); }

static void test_reading() {
  const auto read_all = value::parse(all).as<everything>();
  CHECK(value(read_all) == value(everything()));
  CHECK(read_all.text == "é\"" && read_all.list == everything().list && read_all.map.size() == 1);
  const auto cards = value::parse("{\"cards\":{\"a/b\":{\"title\":\"x\",\"in\":\"done\"}},"
                                  "\"order\":[\"a/b\"],\"unknown\":1}");
  CHECK(cards.as<board>().cards.at("a/b").in == lane::done);
  CHECK(cards.as<card>("/cards/a~1b").title == "x");
  CHECK(!cards.as<card>("/cards/a~1b").estimate);
  CHECK(cards.as<std::vector<std::string>>("/order").at(0) == "a/b");
  CHECK(cards.as<lane>("/cards/a~1b/in") == lane::done);
  CHECK(cards.as<value>("/order").count() == 1);
  CHECK(!cards.as<std::optional<int>>("/nothing"));
  CHECK((cards.as<std::map<std::string, value>>().size() == 3));
  CHECK(read<std::vector<int>>("[1,2]")->size() == 2);
  CHECK(read<std::deque<std::vector<int>>>("[[1],[]]")->size() == 2);
  CHECK(!read<card>("{\"title\":\"a\",\"in\":\"todo\",\"estimate\":null}")->estimate);
  CHECK(read<node>("{\"byte\":1,\"children\":[{\"byte\":2,\"children\":[]}]}")->children.size() == 1);
  CHECK(bool(read<cleared>("{}")));
  int sum = 0;
  for (int each : value::parse("[1,2,3]").as<std::vector<int>>()) sum += each;
  CHECK(sum == 6);

  CHECK_FAILURE(read<card>("{\"title\":1}"), IMD_INVALID_ARGUMENT,
                "expected a string at \"/title\", found an integer");
  CHECK_FAILURE(read<card>("{\"title\":\"a\"}"), IMD_NOT_FOUND,
                "nothing at \"/in\": there is no member \"in\"");
  CHECK_FAILURE(read<card>("{\"title\":\"a\",\"in\":\"nope\"}"), IMD_INVALID_ARGUMENT,
                "invalid value \"nope\" at \"/in\"; expected one of: \"todo\", \"doing\", \"done\"");
  CHECK_FAILURE(read<card>("{\"title\":\"a\",\"in\":\"done\",\"estimate\":\"x\"}"),
                IMD_INVALID_ARGUMENT, "expected an integer at \"/estimate\", found a string");
  CHECK_FAILURE(read<board>("{\"cards\":{\"a/b\":{}},\"order\":[]}"), IMD_NOT_FOUND,
                "in \"/cards/a~1b\": nothing at \"/title\": there is no member \"title\"");
  CHECK_FAILURE(read<board>("{\"cards\":[]}"), IMD_INVALID_ARGUMENT,
                "expected an object at \"/cards\", found an array");
  CHECK_FAILURE(read<board>("{\"cards\":{}}"), IMD_NOT_FOUND,
                "nothing at \"/order\": there is no member \"order\"");
  CHECK_FAILURE(read<std::vector<std::vector<int>>>("[[1],[1,\"x\"]]"), IMD_INVALID_ARGUMENT,
                "in \"/1/1\": the value is a string, not an integer");
  CHECK_FAILURE(read<std::vector<int>>("{}"), IMD_INVALID_ARGUMENT,
                "expected an array, found an object");
  CHECK_FAILURE(read<node>("{\"children\":[{\"byte\":256,\"children\":[]}]}"), IMD_LIMIT,
                "in \"/children/0/byte\": the integer 256 does not fit into the requested type; "
                "use a wider one");
  CHECK_FAILURE(read<cleared>("1"), IMD_INVALID_ARGUMENT, "expected an object, found an integer");
  CHECK_FAILURE(read<lane>("1"), IMD_INVALID_ARGUMENT, "the value is an integer, not a string");
  CHECK_FAILURE(value().try_as<board>(), IMD_INVALID_ARGUMENT,
                "the value is empty or was moved from");
  CHECK_FAILURE(value(1).try_as<board>("x"), IMD_INVALID_ARGUMENT,
                "\"x/cards\" is not a JSON Pointer: it must be empty or begin with \"/\"; write "
                "\"/x/cards\"");
}

static value clear(const value &state, const cleared &) {
  return state.set("/cards", imd::object());
}

static void test_actions() {
  auto store = imd::store::create(
      board{},
      imd::reducer(
          [](const value &state, const added &action) {
            if (action.title.empty()) throw std::invalid_argument("a card needs a title");
            return state.set(imd::pointer("cards", action.id), card{action.title})
                .insert("/order/-", action.id);
          },
          [moves = 0](const value &state, const moved &action) mutable -> imd::result<value> {
            if (++moves > 2) return imd::error(IMD_LIMIT, "moved too often", 7);
            return state.try_set(imd::pointer("cards", action.id, "in"), action.to);
          },
          clear),
      {{"history", true}});
  auto stream = store.stream();
  store.dispatch(added{"a/b", "Feed \"é\""});
  CHECK_JSON(stream.next().action,
             "{\"payload\":{\"id\":\"a/b\",\"title\":\"Feed \\\"é\\\"\"},\"type\":\"added\"}");
  store.dispatch(moved{"a/b", lane::doing});
  CHECK_JSON(stream.next().action,
             "{\"payload\":{\"id\":\"a/b\",\"to\":\"doing\"},\"type\":\"cards/moved\"}");
  const auto state = store.state().as<board>();
  CHECK(state.cards.at("a/b").title == "Feed \"é\"" && state.cards.at("a/b").in == lane::doing);
  CHECK(store.query_value("order").as<std::vector<std::string>>() == state.order);

  CHECK_FAILURE(store.try_dispatch(added{"x", ""}), IMD_REDUCER_FAILED, "a card needs a title");
  CHECK_FAILURE(store.try_dispatch({{"type", "added"}, {"payload", {{"id", 1}}}}),
                IMD_REDUCER_FAILED, "expected a string at \"/payload/id\", found an integer");
  CHECK_FAILURE(store.try_dispatch({{"type", "added"}}), IMD_REDUCER_FAILED,
                "nothing at \"/payload/id\": there is no member \"payload\"");
  CHECK_FAILURE(store.try_dispatch(node{}), IMD_REDUCER_FAILED,
                "unknown action type \"node\"; expected one of: \"added\", \"cards/moved\", "
                "\"cleared\"");
  CHECK_FAILURE(store.try_dispatch(added{"\xFF", "x"}), IMD_INVALID_ARGUMENT,
                "the text is not UTF-8; pass it as UTF-8");
  CHECK_FAILURE(store.try_dispatch(moved{"nothing"}), IMD_REDUCER_FAILED,
                "nothing at \"/cards/nothing/in\": \"/cards\" has no member \"nothing\"");
  CHECK(store.try_dispatch(moved{"a/b"}).error().code() == 7);
  store.dispatch(cleared{});
  CHECK_JSON(stream.next().action, "{\"type\":\"cleared\"}");
  CHECK(store.state().as<board>().cards.empty());
  store.undo();
  CHECK(store.state().as<board>().cards.size() == 1);
  store.dispatch_batch(cleared{}, added{"b", "\"B\""});
  CHECK(store.state().as<board>().cards.size() == 1);
  CHECK(store.state().as<board>().cards.at("b").title == "\"B\"");
  CHECK(!store.try_dispatch_batch(cleared{}, moved{"nothing"}));
  CHECK(store.state().as<board>().cards.size() == 1);
}

static void test_schema() {
  CHECK_JSON(imd::schema<std::vector<double>>(), "{\"items\":{\"type\":\"number\"},\"type\":\"array\"}");
  CHECK_JSON((imd::schema<std::map<std::string, value>>()),
             "{\"additionalProperties\":{},\"type\":\"object\"}");
  CHECK_JSON(imd::schema<std::optional<bool>>(),
             "{\"anyOf\":[{\"type\":\"boolean\"},{\"type\":\"null\"}]}");
  CHECK_JSON(imd::schema<std::int16_t>(),
             "{\"maximum\":32767,\"minimum\":-32768,\"type\":\"integer\"}");
  CHECK_JSON(imd::schema<std::uint64_t>(), "{\"minimum\":0,\"type\":\"integer\"}");
  CHECK_JSON(imd::schema<lane>(), "{\"enum\":[\"todo\",\"doing\",\"done\"]}");
  CHECK_JSON(imd::schema<card>(),
             "{\"$defs\":{\"card\":{\"additionalProperties\":false,\"properties\":{\"estimate\":"
             "{\"anyOf\":[{\"maximum\":2147483647,\"minimum\":-2147483648,\"type\":\"integer\"},"
             "{\"type\":\"null\"}]},\"in\":{\"enum\":[\"todo\",\"doing\",\"done\"]},\"title\":"
             "{\"type\":\"string\"}},\"required\":[\"title\",\"in\"],\"type\":\"object\"}},"
             "\"$ref\":\"#/$defs/card\"}");
  const auto two = imd::schema<other::card>(); /* two structs with one name */
  CHECK(two["/$defs"].count() == 2);
  CHECK(two["/$ref"] == "#/$defs/card" &&
        two["/$defs/card/properties/card/$ref"] == "#/$defs/card-1");

  auto store = imd::store::create(board{}, imd::reducer(clear, [](const value &state, const added &a) {
                                    return state.set("/cards/x", a.title);
                                  }),
                                  {{"schema", imd::store_schema<board, added, cleared>()}});
  CHECK(bool(store.try_dispatch(cleared{})));
  CHECK_FAILURE(store.try_dispatch({{"type", "added"}, {"payload", {{"id", "x"}, {"titel", "y"}}}}),
                IMD_INVALID_ACTION,
                "\"added\": payload: unknown member \"titel\"; did you mean \"title\"?");
  CHECK(store.try_dispatch(moved{}).error().status() == IMD_INVALID_ACTION);
  CHECK(store.try_dispatch(added{"x", "y"}).error().status() == IMD_REDUCER_FAILED);

  /* What a struct writes fits its schema, and so does a tree that contains itself. */
  const auto keep = [](const value &, const value &action) { return action["/payload"]; };
  const auto accepts = [&](const auto &source) {
    using type = std::decay_t<decltype(source)>;
    auto checked = imd::store::create("null", keep,
                                      {{"schema", {{"actions", {{"set", imd::schema<type>()}}}}}});
    return bool(checked.try_dispatch({{"type", "set"}, {"payload", value(source)}}));
  };
  CHECK(accepts(everything()) && accepts(node{{node{{}, 1}}, 2}) && accepts(widest()));
}

int main() {
  test_writing();
  test_reading();
  test_actions();
  test_schema();
  return check_report();
}
