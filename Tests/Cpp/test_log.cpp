/* Stores whose actions are kept in a file. */
#include "check.hpp"
#include "witness.hpp"

#include <cstdlib>
#include <filesystem>

using imd::value;

namespace {

/* A folder that is removed at the end. */
struct folder {
  std::filesystem::path path;

  folder() {
    std::string name = (std::filesystem::temp_directory_path() / "imd-log-XXXXXX").string();
    CHECK(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~folder() { std::filesystem::remove_all(path); }
  folder(const folder &) = delete;
  folder &operator=(const folder &) = delete;
};

/* Adds the payload to the state. */
value reduce(const value &state, const value &action) {
  return state.as<int>() + action["/payload"].as<int>();
}

void add(imd::store &store, int number) {
  store.dispatch({{"type", "add"}, {"payload", number}});
}

void test_round_trip(const std::string &path) {
  const value options = {{"history", true}, {"log", path}};
  {
    auto store = imd::store::create("0", reduce, options);
    add(store, 1);
    add(store, 2);
    store.sync();
    CHECK(imd::store::try_create("0", reduce, options).error().status() == IMD_IO);
  }
  auto store = imd::store::create("100", reduce, options);
  CHECK(store.state() == 3 && store.undo() == 1 && store.state() == 1);
  store.sync(std::chrono::milliseconds(1000));
}

void test_a_store_that_follows(const std::string &path) {
  const value written = {{"log", {{"path", path}, {"durability", "full"}}}};
  const value followed = {{"log", {{"path", path}, {"readOnly", true}}}};
  auto writer = imd::store::create("0", reduce, written);
  auto reader = imd::store::create("0", reduce, followed);
  reader.define_selector("all", "@");
  value seen;
  const auto observation = reader.observe("all", [&](const value &state) { seen = state; });
  add(writer, 5);
  reader.refresh();
  CHECK(seen == 5);
  CHECK(reader.try_dispatch({{"type", "add"}}).error().status() == IMD_INVALID_ARGUMENT);
}

/* What the reducer throws while the log is replayed is the failure of create. */
void test_a_reducer_that_throws(const std::string &path) {
  const value options = {{"log", path}};
  auto first = imd::store::create("0", reduce, options);
  add(first, 1);
  first.close();
  CHECK(witness::count == 0);
  const auto fails = [seen = witness()](const value &, const value &) -> value {
    throw std::runtime_error("no more");
  };
  CHECK(witness::count == 1);
  try {
    (void)imd::store::create("0", fails, options);
    CHECK(false);
  } catch (const imd::error &error) {
    CHECK(error.status() == IMD_REDUCER_FAILED);
    const std::string message = error.what();
    CHECK(message.find("cannot replay the entry 1 of the log") == 0);
    CHECK(message.find("no more") != std::string::npos);
  }
  CHECK(witness::count == 1);
  auto again = imd::store::create("0", reduce, options);
  CHECK(again.state() == 1);
}

/* The functions for files take the reducer of the log, which they do not keep. */
void test_files(const std::string &path) {
  const value options = {{"log", path}};
  auto store = imd::store::create("0", reduce, options);
  for (int number : {1, 2, 4}) add(store, number);
  std::size_t last = 0;
  CHECK_JSON(store.replay([&](std::size_t done, std::size_t) { last = done; }),
             R"({"difference":null,"entries":3,"number":3})");
  CHECK(last == std::filesystem::file_size(path));
  store.close();
  CHECK(value::parse(imd::log::verify(path))["/last"] == 3);
  CHECK(value::parse(imd::log::verify(path, [](std::size_t, std::size_t) { return true; }))
            ["/entries"] == 3);
  const auto fails = [](std::size_t, std::size_t) { throw std::runtime_error("enough"); };
  CHECK_ERROR(imd::log::verify(path, fails), IMD_REDUCER_FAILED, "enough");
  const auto adds = [seen = witness()](const value &state, const value &action) {
    return reduce(state, action);
  };
  CHECK(imd::log::state_at(path, 2, adds) == 3 && imd::log::state_at(path, 3, reduce) == 7);
  CHECK(imd::log::try_state_at(path, 4, reduce).error().status() == IMD_NOT_FOUND);
  CHECK(imd::log::try_state_at(path, 1).error().status() == IMD_INVALID_ARGUMENT);
  CHECK_ERROR(imd::log::redact(path, [](const value &) -> bool {
                throw std::runtime_error("enough");
              }, adds), IMD_REDUCER_FAILED, "enough");
  const auto is_second = [](const value &entry) { return entry["/number"] == 2; };
  CHECK(imd::log::redact(path, is_second, adds) == 1);
  const value entries = value::parse(imd::log::entries(path, {{"from", 2}}));
  CHECK(entries["/entries/0/actions"] == "redacted" && entries["/entries/1/number"] == 3);
  imd::log::compact(path, {{"keep", {{"entries", 1}}}, {"shared", true}}, adds);
  imd::log::compact(path, {{"shared", false}}, adds);
  CHECK(value::parse(imd::log::entries(path))["/entries"].count() == 1);
  CHECK(imd::store::create("0", adds, options).state() == 7);
  CHECK(witness::count == 1);
}

void test_migration(const std::string &path) {
  auto store = imd::store::create("0", reduce, {{"log", path}});
  for (int number : {1, 2, 4}) add(store, number);
  store.close();
  const value options = {{"log", {{"path", path}, {"version", 2}}}};
  CHECK(imd::store::try_create("0", reduce, options).error().status() == IMD_INVALID_ARGUMENT);
  const auto fails = [](const value &) -> value { throw std::runtime_error("no more"); };
  CHECK_ERROR(imd::log::migrate(path, 2, {{1, fails, {}}}, reduce), IMD_REDUCER_FAILED, "no more");
  const auto twice = [](const value &action) {
    const int number = action["/payload"].as<int>();
    return number == 2 ? value() : action.set("/payload", 2 * number);
  };
  imd::log::migrate(path, 2, {{1, [](const value &) { return value(100); }, twice}}, reduce);
  CHECK(imd::store::create("0", reduce, options).state() == 110);
}

void test_what_vanishes(const std::string &path) {
  const auto keeps = [](const value &state, const value &) { return state; };
  auto store = imd::store::create(R"({"a":1,"b":2})", keeps, {{"log", path}});
  add(store, 1);
  store.try_close().value();
  CHECK(store.try_close().error().status() == IMD_CLOSED);
  CHECK(imd::log::entries_value(path)["/entries/0/number"] == 1);
  CHECK(imd::log::snapshot(path)["/state/b"] == 2);
  const auto loses = [](const value &state) { return state.remove("/b"); };
  CHECK(imd::log::try_migrate(path, 2, {{1, loses, {}}}, keeps).error().status() ==
        IMD_INVALID_ARGUMENT);
  imd::log::migrate(path, 2, {{1, loses, {}, {"b"}}}, keeps);
  CHECK(std::filesystem::exists(path + "-v1"));
  const value options = {
      {"log", {{"path", path}, {"version", 2}, {"durability", "none"}}}, {"history", true}};
  auto lost = imd::store::create("{}", keeps, options);
  CHECK(lost.try_replay_value().value()["/entries"] == 2);  // The action, and the options.
  add(lost, 1);
  CHECK(lost.try_blame_value("").value().count() == 0);
  std::filesystem::remove(path);
  CHECK(lost.try_close().error().status() == IMD_IO);
}

void test_export(const std::string &path, const std::string &copy) {
  auto store = imd::store::create("0", reduce, {{"log", path}});
  for (int number : {1, 2}) add(store, number);
  store.close();
  const imd::text exported = imd::log::export_json(path, reduce);
  imd::log::import_json(copy, exported, reduce);
  CHECK(imd::store::create("0", reduce, {{"log", copy}}).state() == 3);
  CHECK(!imd::log::try_import_json(copy, exported, reduce).operator bool());
  CHECK(imd::log::try_import_json(copy, exported, "none").error().status() != IMD_OK);
}

void test_failures() {
  auto store = imd::store::open("counter");
  store.sync();
  store.refresh();
  const char *empty = "the store is empty or was moved from";
  CHECK_ERROR(imd::store().sync(), IMD_INVALID_ARGUMENT, empty);
  CHECK_ERROR(imd::store().refresh(), IMD_INVALID_ARGUMENT, empty);
  CHECK(imd::store::try_open("counter", {{"log", "/none/at/all.imd"}}).error().status() == IMD_IO);
}

/* A driver that has opened a log, and whose server then refuses. */
const imd_log_engine *engine;

void refuse(imd_log_call *call) {
  imd_log_answer answer{};
  answer.outcome = IMD_LOG_REFUSED;
  answer.message = "closed today";
  CHECK(engine->answer(call, &answer) == IMD_OK);
}

void open_log(void *, const imd_log_opening *, const imd_log_engine *given, imd_log_watch *,
              void **, imd_log_call *call) {
  engine = given;
  refuse(call);
}

void test_a_driver() {
  imd_log_driver driver{};
  const char *missing = "driver: a function is NULL; set all of them";
  driver.size = sizeof driver;
  CHECK_ERROR(imd::register_log("refusing", driver), IMD_INVALID_ARGUMENT, missing);
  driver.open = open_log;
  driver.append = [](void *, const imd_log_place *, const imd_log_entry *, std::size_t,
                     imd_log_call *call) { refuse(call); };
  driver.read = [](void *, const imd_log_place *, std::size_t, int, imd_log_call *call) {
    refuse(call);
  };
  driver.get_snapshot = [](void *, imd_log_call *call) { refuse(call); };
  driver.put_snapshot = [](void *, std::int64_t, const imd_log_place *, const char *, std::size_t,
                           imd_log_call *call) { refuse(call); };
  driver.trim = [](void *, std::int64_t, imd_log_call *call) { refuse(call); };
  driver.close = [](void *) {};
  CHECK(imd::try_register_log("Refusing", driver).error().status() == IMD_INVALID_ARGUMENT);
  imd::register_log("refusing", driver);
  CHECK_ERROR(imd::store::create("0", reduce, {{"log", "refusing://host/x"}}), IMD_REFUSED,
              "\"refusing://host/x\": closed today");
  CHECK_ERROR(imd::log::trim("refusing://host/x"), IMD_REFUSED,
              "\"refusing://host/x\": closed today");
  CHECK(imd::log::try_trim("x.imd").error().status() == IMD_INVALID_ARGUMENT);
}

}  // namespace

int main() {
  const folder temporary;
  test_round_trip(temporary.path / "round.imd");
  test_a_store_that_follows(temporary.path / "followed.imd");
  test_a_reducer_that_throws(temporary.path / "thrown.imd");
  test_files(temporary.path / "files.imd");
  test_migration(temporary.path / "migrated.imd");
  test_what_vanishes(temporary.path / "vanishing.imd");
  test_export(temporary.path / "exported.imd", temporary.path / "imported.imd");
  test_failures();
  test_a_driver();
  return check_report();
}
