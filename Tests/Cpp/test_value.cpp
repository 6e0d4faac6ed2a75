/* Values, text and errors. */
#include "check.hpp"

#include <array>
#include <cmath>
#include <list>
#include <map>
#include <sstream>
#include <unordered_map>
#include <vector>

using imd::array;
using imd::object;
using imd::pointer;
using imd::value;

enum color { red };

static void test_conversions() {
  CHECK_JSON(value(nullptr), "null");
  CHECK_JSON(value(true), "true");
  CHECK_JSON(value(-7), "-7");
  CHECK_JSON(value(static_cast<unsigned char>(200)), "200");
  CHECK_JSON(value(std::uint64_t{9223372036854775807u}), "9223372036854775807");
  CHECK_JSON(value(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  CHECK_JSON(value(0.5f), "0.5");
  CHECK_JSON(value("a\"b"), "\"a\\\"b\"");
  CHECK_JSON(value(std::string("a\0b", 3)), "\"a\\u0000b\"");
  CHECK_JSON(value(std::string_view("abc").substr(1)), "\"bc\"");
  CHECK_JSON(value(std::string_view()), "\"\"");
  CHECK_JSON(value(value("x").text().view()), "\"\\\"x\\\"\"");

  CHECK_JSON(array(), "[]");
  CHECK_JSON(object(), "{}");
  CHECK_JSON(array({1, "two", 3.5, nullptr, true, array({4})}), "[1,\"two\",3.5,null,true,[4]]");
  CHECK_JSON(object({{"b", 1}, {"a/~", {{"c", array()}}}}), "{\"a/~\":{\"c\":[]},\"b\":1}");
  value state = {{"page", "shop"}, {"cart", {{"tea", 3}}}, {"page", "cart"}};
  CHECK_JSON(state, "{\"cart\":{\"tea\":3},\"page\":\"cart\"}");
  state = "replaced";
  CHECK_JSON(state, "\"replaced\"");

  CHECK_JSON(value(std::vector<int>{1, 2}), "[1,2]");
  CHECK_JSON(value(std::vector<bool>{true, false}), "[true,false]");
  CHECK_JSON(value(std::array<const char *, 2>{"a", "b"}), "[\"a\",\"b\"]");
  CHECK_JSON(value(std::list<std::vector<value>>{{1, "x"}, {}}), "[[1,\"x\"],[]]");
  const int numbers[] = {3, 4};
  CHECK_JSON(value(numbers), "[3,4]");
  CHECK_JSON((value(std::map<std::string, std::vector<double>>{{"b", {1}}, {"a", {}}})),
             "{\"a\":[],\"b\":[1.0]}");
  CHECK_JSON((value(std::unordered_map<std::string_view, int>{{"a/b", 1}})), "{\"a/b\":1}");

  const char *range = "the integer 9223372036854775808 is out of range; an integer is at most "
                      "9223372036854775807";
  CHECK_ERROR(value(std::uint64_t{9223372036854775808u}), IMD_LIMIT, range);
  CHECK_FAILURE(value::try_from(std::vector<std::uint64_t>{9223372036854775808u}), IMD_LIMIT,
                range);
  CHECK_ERROR(value("\xFF"), IMD_INVALID_ARGUMENT, "the text is not UTF-8; pass it as UTF-8");
  CHECK_ERROR(value(static_cast<const char *>(nullptr)), IMD_INVALID_ARGUMENT,
              "the text is NULL; pass nullptr for JSON null");
  CHECK_ERROR(value(std::nan("")), IMD_INVALID_ARGUMENT,
              "JSON has no nan; pass a finite number");
  CHECK_ERROR((value(std::map<const char *, int>{{nullptr, 1}})), IMD_INVALID_ARGUMENT,
              "the text is NULL; pass nullptr for JSON null");
  CHECK_ERROR((object({{std::string_view("a\0b", 3), 1}})), IMD_INVALID_ARGUMENT,
              "the pointer contains U+0000, which ends a C string; remove it");
  CHECK(!(std::is_convertible_v<char, value>) && !(std::is_convertible_v<int *, value>));
  CHECK(!(std::is_convertible_v<imd_value *, value>) && !(std::is_convertible_v<bool *, value>));
  CHECK(!(std::is_convertible_v<wchar_t, value>) && !(std::is_convertible_v<color, value>));
  CHECK((std::is_convertible_v<std::optional<int>, value>));
#if defined(__SIZEOF_INT128__)
  __extension__ using wide_integer = __int128;
  CHECK(!(std::is_convertible_v<wide_integer, value>) && !imd::detail::is_integer<wide_integer>);
#endif
}

/* Braces without content make an empty value, which is not JSON. */
static void test_empty_values() {
  const std::string hint = " is empty; for an empty object write imd::object(), for an array imd::array()";
  const auto empty = [&](const char *noun) { return noun + hint; };
  CHECK_ERROR(array({1, {}}), IMD_INVALID_ARGUMENT, empty("an element of the array").c_str());
  CHECK_FAILURE(imd::try_array({1, value()}), IMD_INVALID_ARGUMENT,
                empty("an element of the array").c_str());
  CHECK_ERROR(value(std::vector<value>(1)), IMD_INVALID_ARGUMENT,
              empty("an element of the array").c_str());
  CHECK_ERROR(object({{"items", {}}}), IMD_INVALID_ARGUMENT, empty("the member \"items\"").c_str());
  CHECK_FAILURE(imd::try_object({{"a", value()}}), IMD_INVALID_ARGUMENT,
                empty("the member \"a\"").c_str());
  const value state = object();
  CHECK_ERROR(state.set("/n", {}), IMD_INVALID_ARGUMENT, empty("the element").c_str());
  CHECK_ERROR(state.insert("/n", {}), IMD_INVALID_ARGUMENT, empty("the element").c_str());

  const char *self = "the value is empty or was moved from";
  CHECK_ERROR(value().text(), IMD_INVALID_ARGUMENT, self);
  CHECK_ERROR(value()["/n"], IMD_INVALID_ARGUMENT, self);
  CHECK_ERROR(value().as<bool>(), IMD_INVALID_ARGUMENT, self);
  CHECK_ERROR(value().as<int>(), IMD_INVALID_ARGUMENT, self);
  CHECK_ERROR(value().as<float>(), IMD_INVALID_ARGUMENT, self);
  CHECK_ERROR(value().as<std::string>(), IMD_INVALID_ARGUMENT, self);
  CHECK_ERROR(value().read(), IMD_INVALID_ARGUMENT, self);
  CHECK_ERROR(value().set("/n", 1), IMD_INVALID_ARGUMENT, self);
  CHECK_ERROR(value().set("/n", {}), IMD_INVALID_ARGUMENT, self);
  CHECK_ERROR(value().remove("/n"), IMD_INVALID_ARGUMENT, self);
  CHECK_ERROR(value().members(), IMD_INVALID_ARGUMENT, self);
  CHECK_ERROR(state.diff({}), IMD_INVALID_ARGUMENT,
              "the value to compare with is empty or was moved from");
  CHECK_ERROR(state.patch({}), IMD_INVALID_ARGUMENT, "the patch is empty or was moved from");
  CHECK_ERROR(state.merge({}), IMD_INVALID_ARGUMENT, "the patch is empty or was moved from");
}

static void test_reading() {
  const value state = value::parse(
      R"({"a":[true,7,-300,2.5,"text",null],"b/c":{"d":1},"e":18446744073709551615.0})");
  CHECK(state.kind() == IMD_OBJECT && state.count() == 3);
  CHECK(state["/a"].kind() == IMD_ARRAY && state.at("/a").count() == 6);
  CHECK(state["/a/0"] == true && state["/a/1"] == 7 && state["/a/4"] == "text");
  CHECK(state["/a/5"] == nullptr && state["/a/1"] != 7.0);
  CHECK(state[pointer("b/c", "d")] == 1 && state[std::string_view("/a/1x").substr(0, 4)] == 7);
  CHECK(state.contains("/a/5") && !state.contains("/a/6") && !state.contains("/x"));

  CHECK(state.as<bool>("/a/0"));
  CHECK(state.as<int>("/a/1") == 7 && state.as<std::uint8_t>("/a/1") == 7);
  CHECK(state.as<std::int64_t>("/a/2") == -300 && state["/a/2"].as<short>() == -300);
  CHECK(state.as<double>("/a/3") == 2.5 && state.as<float>("/a/1") == 7);
  CHECK(state.as<std::string>("/a/4") == "text" && state.as<imd::text>("/a/4") == "text");
  CHECK(state.try_as<int>("/x").value_or(5) == 5 && state.try_as<int>("/a/1").value_or(5) == 7);
  const char *narrow = "the integer -300 does not fit into the requested type; use a wider one";
  CHECK_ERROR(state.as<signed char>("/a/2"), IMD_LIMIT, narrow);
  CHECK_ERROR(state.as<unsigned>("/a/2"), IMD_LIMIT, narrow);
  CHECK_ERROR(state.as<std::uint64_t>("/a/2"), IMD_LIMIT, narrow);
  CHECK_ERROR(state.as<int>("/a/4"), IMD_INVALID_ARGUMENT,
              "expected an integer at \"/a/4\", found a string");
  CHECK_ERROR(state.as<std::string>("/a/1"), IMD_INVALID_ARGUMENT,
              "expected a string at \"/a/1\", found an integer");
  CHECK(value(1e300).as<double>() == 1e300 && value(3e38).as<float>() == 3e38f);
  CHECK_ERROR(value(-1e300).as<float>(), IMD_LIMIT,
              "the number does not fit into the requested type; use a wider one");
  CHECK_ERROR(value::parse(static_cast<const char *>(nullptr)), IMD_INVALID_ARGUMENT,
              "text must not be NULL");
  CHECK_ERROR(state["/x"], IMD_NOT_FOUND, "nothing at \"/x\": there is no member \"x\"");
  CHECK_ERROR(state["a"], IMD_INVALID_ARGUMENT,
              "\"a\" is not a JSON Pointer: it must be empty or begin with \"/\"; write \"/a\"");
  CHECK_ERROR(state[std::string("/a\0/0", 5)], IMD_INVALID_ARGUMENT,
              "the pointer contains U+0000, which ends a C string; remove it");
  CHECK_ERROR(value::parse("[1,"), IMD_INVALID_JSON,
              "the value is not JSON: ']' expected near end of file; write JSON text such as "
              "{\"name\":\"value\"}");
  CHECK_ERROR(imd::store::create("", [](const value &, const value &) { return value(); }),
              IMD_INVALID_JSON,
              "the state is not JSON: the text is empty, because its length is 0; in C, pass "
              "IMD_ZERO_TERMINATED for a C string");
  CHECK_ERROR(value::parse(""), IMD_INVALID_JSON,
              "the value is not JSON: the text is empty; write JSON text such as "
              "{\"name\":\"value\"}");

  CHECK(state.read("/a/5").index() == IMD_NULL);
  CHECK(std::get<bool>(state.read("/a/0")) && std::get<std::int64_t>(state.read("/a/1")) == 7);
  CHECK(std::get<double>(state.read("/a/3")) == 2.5);
  CHECK(std::get<imd::text>(state.read("/a/4")) == "text");
  CHECK(std::get<value>(state.read("/a")).is_identical(state["/a"]));
  CHECK(std::get<value>(state.read()).kind() == IMD_OBJECT);
  CHECK_ERROR(state.read("/x"), IMD_NOT_FOUND,
              "nothing at \"/x\": there is no member \"x\"");
}

static void test_updates() {
  const value before = {{"a", array({1, 2})}, {"b", {{"c", "d"}}}};
  CHECK_JSON(before.set("/a/0", 9).set("/a/1", 1.5).set("/b/c", "x").set("/n", nullptr),
             "{\"a\":[9,1.5],\"b\":{\"c\":\"x\"},\"n\":null}");
  CHECK_JSON(before.set("/b", {{"e", true}}).set("/a", std::vector<int>{7}).set("/t", false),
             "{\"a\":[7],\"b\":{\"e\":true},\"t\":false}");
  CHECK_JSON(before.insert("/a/0", "first").insert("/a/-", before["/b"]),
             "{\"a\":[\"first\",1,2,{\"c\":\"d\"}],\"b\":{\"c\":\"d\"}}");
  CHECK_JSON(before.remove("/b").remove("/a/0"), "{\"a\":[2]}");
  CHECK_JSON(before["/a"].slice(1), "[2]");
  CHECK_JSON(before["/a"].slice(0, 1), "[1]");
  CHECK_ERROR(before.slice(0), IMD_INVALID_ARGUMENT, "only an array has slices");
  CHECK_JSON(before.merge({{"b", {{"c", nullptr}, {"e", 1}}}}), "{\"a\":[1,2],\"b\":{\"e\":1}}");
  CHECK_JSON(before, "{\"a\":[1,2],\"b\":{\"c\":\"d\"}}");

  const value after = before.set("/a/1", 5);
  CHECK(after["/b"].is_identical(before["/b"]) && !after["/a"].is_identical(before["/a"]));
  const value patch = before.diff(after);
  CHECK_JSON(patch, "[{\"op\":\"replace\",\"path\":\"/a/1\",\"value\":5}]");
  CHECK(before.patch(patch) == after && before != after);

  CHECK_ERROR(before.set("/x/y", 1), IMD_NOT_FOUND,
              "nothing at \"/x/y\": there is no member \"x\"");
  CHECK_ERROR(before.set("/a/0", "\xFF"), IMD_INVALID_ARGUMENT,
              "the text is not UTF-8; pass it as UTF-8");
  CHECK_ERROR(before.set("/a/0", std::numeric_limits<std::uint64_t>::max()), IMD_LIMIT,
              "the integer 18446744073709551615 is out of range; an integer is at most "
              "9223372036854775807");
  CHECK_ERROR(before.insert("/a/7", 1), IMD_NOT_FOUND,
              "nothing at \"/a/7\": \"/a\" has 2 elements");
  CHECK_ERROR(before.remove(""), IMD_INVALID_ARGUMENT,
              "the whole value cannot be removed");
  CHECK_ERROR(before.patch({{"op", "add"}}), IMD_INVALID_ARGUMENT,
              "a JSON Patch must be an array of operations, not an object");
}

static void test_iteration() {
  const value state = {{"b", 2}, {"a", 1}, {"c", array({10, 20})}};
  std::string seen;
  for (const auto &[key, element] : state.members())
    seen += std::string(key) + "=" + element.text().str() + " ";
  CHECK_TEXT(seen.c_str(), "a=1 b=2 c=[10,20] ");
  seen.clear();
  for (const auto &[key, element] : state.members("b")) seen += key;
  CHECK_TEXT(seen.c_str(), "bc");
  std::vector<value> copies;
  for (const value &element : state["/c"].elements()) copies.push_back(element);
  CHECK_JSON(value(copies), "[10,20]");
  for (const value &element : array().elements()) CHECK_JSON(element, "there is no element");
  std::int64_t sum = 0;
  for (auto element : state.remove("/c").elements()) sum += element.as<int>();
  CHECK(sum == 3);

  for (const auto &[key, element] : array({7}).members()) CHECK(key.empty() && element == 7);

  imd::cursor cursor(state), moved;
  CHECK(cursor.next() && cursor.key() == "a" && cursor.element() == 1);
  const value kept = cursor.element();
  moved = std::move(cursor);
  CHECK(moved.key() == "a" && moved.next() && moved.key() == "b" && kept == 1);
  CHECK(cursor.key().empty() && !cursor.element().has_value() && !cursor.next());
  CHECK(moved.next() && !moved.next() && !moved.element().has_value() && moved.key().empty());
  CHECK(imd::cursor(state, "c").next() && !imd::cursor(state, "d").next());

  const char *kind = "an integer cannot be iterated; pass an array or an object";
  CHECK_ERROR(value(1).elements(), IMD_INVALID_ARGUMENT, kind);
  CHECK_ERROR(imd::cursor(value(1)), IMD_INVALID_ARGUMENT, kind);
  CHECK_ERROR(array().members("a"), IMD_INVALID_ARGUMENT,
              "an array has no keys to begin from; pass NULL as from_key");
}

static void test_ownership() {
  value a = {{"x", 1}}, copy = a;
  CHECK(copy.is_identical(a) && copy == a);
  value moved = std::move(a);
  CHECK(!a.has_value() && a.kind() == IMD_NULL && a.count() == 0 && a == value() && a != moved);
  CHECK_ERROR(a.text(), IMD_INVALID_ARGUMENT, "the value is empty or was moved from");
  value &alias = moved;
  moved = alias;
  moved = std::move(alias);
  CHECK_JSON(moved, "{\"x\":1}");
  a = moved;
  std::swap(a, copy);
  CHECK(a == copy);
  imd_value *released = moved.release();
  CHECK(!moved.has_value());
  const value retained = value::retain(released);
  CHECK_JSON(value(released), "{\"x\":1}");
  CHECK_JSON(retained, "{\"x\":1}");
  CHECK(!value::retain(nullptr).has_value());
  CHECK(std::is_nothrow_move_constructible_v<value> && std::is_nothrow_move_assignable_v<value>);
}

static void test_text() {
  imd::text text = value("x").text(), other = value("x").text();
  CHECK(text == other && text == "\"x\"" && text != "x" && !(text != other) && text.size() == 3);
  std::ostringstream stream;
  stream << text << ' ' << value({{"a", 1}}) << value();
  CHECK(stream.str() == "\"x\" {\"a\":1}");
  imd::text moved = std::move(text);
  CHECK(moved == other && text.size() == 0 && text.view().empty() && text.str().empty());
  CHECK_TEXT(text.c_str(), "");
  CHECK(pointer("a~/b", 3, std::string("c")) == "/a~0~1b/3/c" && pointer().empty());
  CHECK_ERROR(object().contains(pointer(static_cast<const char *>(nullptr))) ||
                  object()[pointer(static_cast<const char *>(nullptr))].has_value(),
              IMD_INVALID_ARGUMENT, "the pointer is not UTF-8; pass it as UTF-8");
}

static void test_views() {
  const value object{{"s", std::string("a\0b", 3)}, {"n", 1}};
  const std::string_view view = object.view_string("/s");
  CHECK(view == std::string_view("a\0b", 3) && view.data()[3] == 0);
  CHECK(value(object).view_string("/s").data() == view.data());
  CHECK(value("x").try_view_string() && !object.try_view_string("/x"));
  CHECK_ERROR(object.view_string("/n"), IMD_INVALID_ARGUMENT,
              "expected a string at \"/n\", found an integer");
  CHECK_ERROR(value().view_string(), IMD_INVALID_ARGUMENT, "the value is empty or was moved from");
}

static void test_errors() {
  const imd::error error = value::try_parse("{\n \"a\":]").error();
  CHECK(error.status() == IMD_INVALID_JSON && error.line() == 2 && error.column() == 6);
  CHECK(error.offset() == 8);
  const auto parsed = value::try_parse("[1]");
  CHECK(parsed && parsed.error().status() == IMD_OK && parsed->count() == 1);
  CHECK_JSON(parsed.value(), "[1]");
  CHECK_JSON(value::try_parse("[2]").value_or(value(1)), "[2]");
  const auto failed = value::try_parse("[");
  CHECK(!failed && !failed->has_value() && !(*failed).has_value());
  CHECK_ERROR(failed.value(), IMD_INVALID_JSON,
              "the value is not JSON: ']' expected near end of file; write JSON text such as "
              "{\"name\":\"value\"}");
}

int main() {
  test_conversions();
  test_empty_values();
  test_reading();
  test_updates();
  test_iteration();
  test_ownership();
  test_text();
  test_views();
  test_errors();
  return check_report();
}
