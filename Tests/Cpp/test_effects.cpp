/* Fetch functions: requests, responses, exceptions and lifetimes. */
#include "check.hpp"
#include "witness.hpp"

#include <future>
#include <thread>
#include <vector>

using imd::value;
using namespace std::chrono_literals;

static const std::vector<imd::header> json = {{"Content-Type", "application/json"}};
static const char answer[] =
    R"({"query":[{"categories":{"categories":[{"categoryId":"Bird","name":"Birds"}]}}]})";
static const char ended[] =
    "the request has ended: it was answered or cancelled, or its store was closed";
static const char categories[] = R"({"Bird":{"categoryId":"Bird","name":"Birds"}})";

/* Opens a store whose server is a lambda, and asks for the categories. */
template <class Fetch> imd::store ask(Fetch &&fetch) {
  auto store = imd::store::open("animals", {{"remote", "http://127.0.0.1:1"}, {"timeout", 60000}});
  store.set_fetch([fetch = std::move(fetch)](imd::request request, imd::request_info info) mutable {
    if (!info.is_streamed) fetch(request, std::move(info));
  });
  store.dispatch({{"type", "ui/categoryList/onAppear"}});
  return store;
}

static void test_responses() {
  auto store = ask([](const imd::request &request, const imd::request_info &info) {
    CHECK(info.method == "POST" && info.url == "http://127.0.0.1:1/animals/api");
    CHECK(info.body == R"({"query":[{"categories":{}}]})" && !info.is_streamed);
    bool has_type = false;
    for (const auto &[name, value] : info.headers)
      has_type = has_type || (name == "Content-Type" && value == "application/json");
    CHECK(has_type);
    CHECK(request.resolve(200, answer, json));
    CHECK(!request.resolve(200, answer, json) && !request.receive(200) && !request.reject("late"));
    CHECK_FAILURE(request.try_resolve(200, answer, json), IMD_CLOSED, ended);
    CHECK_FAILURE(request.try_receive(200), IMD_CLOSED, ended);
    CHECK_FAILURE(request.try_reject("late"), IMD_CLOSED, ended);
  });
  store.settle();
  CHECK_JSON(store.select("selectCategories"), categories);
}

/* The request and its description outlive the function. */
static void test_response_from_a_thread() {
  std::promise<void> returned;
  std::thread thread;
  auto store = ask([&](imd::request request, imd::request_info info) {
    thread = std::thread([&, request, info = std::move(info)] {
      returned.get_future().wait();
      CHECK(info.body == R"({"query":[{"categories":{}}]})");
      const std::string_view body = answer;
      request.receive(200, body.substr(0, 20), json);
      request.receive(200, body.substr(20));
      request.resolve(200);
    });
  });
  CHECK_ERROR(store.settle(0ms), IMD_TIMEOUT, "an effect is still in flight after 0 ms");
  returned.set_value();
  store.settle();
  thread.join();
  CHECK_JSON(store.select("selectCategories"), categories);
}

static void test_failures() {
  auto store = ask([](imd::request request, imd::request_info) {
    const std::vector<imd::header> bad = {{"X", std::string("a\0b", 3)}};
    CHECK_ERROR(request.resolve(200, answer, bad), IMD_INVALID_ARGUMENT,
                "the header \"X\" contains a NUL; leave it out");
    request.reject(std::string_view("connection refused by the host").substr(0, 18));
  });
  store.settle();
  CHECK_JSON(store.select("selectCategoriesStatus"),
             R"({"failure":{"error":"no response from http://127.0.0.1:1: connection refused"}})");
  CHECK_ERROR(imd::request().reject("x"), IMD_INVALID_ARGUMENT,
              "the request is empty or was moved from");
  CHECK_ERROR(imd::request().resolve(200), IMD_INVALID_ARGUMENT, "the request is empty or was moved from");
}

static std::string reported;

/* A function that throws rejects its request; the handler gets the exception. */
static void test_throwing_fetch() {
  imd::set_error_handler([](const imd::error &error) noexcept { reported += error.what(); });
  auto store = ask([](imd::request, imd::request_info) { throw std::runtime_error("no network"); });
  store.settle();
  CHECK_JSON(store.select("selectCategoriesStatus"),
             R"({"failure":{"error":"no response from http://127.0.0.1:1: no network"}})");
  CHECK_TEXT(reported.c_str(), "fetch of \"http://127.0.0.1:1/animals/api\": no network");
  reported.clear();
  store = ask([](const imd::request &request, const imd::request_info &) {
    request.resolve(200, answer, json);
    throw 3;
  });
  store.settle();
  CHECK_JSON(store.select("selectCategories"), categories);
  CHECK_TEXT(reported.c_str(), "fetch of \"http://127.0.0.1:1/animals/api\": "
                               "an exception that is not a std::exception");
  imd::set_error_handler(nullptr);
}

/* Changes of other clients arrive in a streamed response. */
static void test_streamed_response() {
  const value owl = {
      {"animalId", "Owl"}, {"categoryId", "Bird"}, {"diet", "Carnivore"}, {"name", "Owl"}};
  const value animals = {{"query", imd::array({{{"animals", {{"animals", imd::array({owl})}}}}})}};
  std::promise<imd::request> connected;
  auto store = imd::store::open("animals", {{"remote", "http://127.0.0.1:1"}});
  store.set_fetch([&](imd::request request, const imd::request_info &info) {
    if (info.is_streamed) {
      connected.set_value(request);
    } else {
      request.resolve(200, animals.text(), json);
    }
  });
  const imd::request stream = connected.get_future().get();
  const std::vector<imd::header> events = {{"Content-Type", "text/event-stream"}};
  stream.receive(200, {}, events);
  stream.receive(200, "id: 1\nevent: reset\ndata: {}\n\n");
  store.settle();
  store.dispatch({{"type", "ui/animalList/onAppear"}});
  store.settle();
  const value change = {{"updateAnimal", {{"animal", owl.set("/name", "Barn owl")}}}};
  stream.receive(200, "id: 2\nevent: change\ndata: ");
  stream.receive(200, change.text().str() + "\n\n");
  store.settle();
  CHECK_JSON(value::parse(store.select("selectAnimal", {{"animalId", "Owl"}}))["/name"],
             "\"Barn owl\"");
  store.close();
  CHECK(!stream.receive(200));
}

static void test_lifetimes() {
  auto store = imd::store::open("animals", {{"remote", "http://127.0.0.1:1"}});
  const auto ignore = [seen = witness()](imd::request, imd::request_info) {};
  CHECK(witness::count == 1);
  store.set_fetch(ignore);
  CHECK(witness::count == 2);
  store.set_fetch(ignore); /* in place of the one before */
  CHECK(witness::count == 2);
  store.set_fetch(nullptr);
  CHECK(witness::count == 1);
  store.set_fetch(ignore);
  store.close();
  CHECK(witness::count == 1);
  CHECK_ERROR(store.set_fetch(ignore), IMD_CLOSED, "the store was closed; open another one");
  CHECK_ERROR(store.settle(), IMD_CLOSED, "the store was closed; open another one");
  CHECK(witness::count == 1);
}

int main() {
  test_responses();
  test_response_from_a_thread();
  test_failures();
  test_throwing_fetch();
  test_streamed_response();
  test_lifetimes();
  return check_report();
}
