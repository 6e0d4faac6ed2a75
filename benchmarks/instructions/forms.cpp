/* Dispatches from C++: the same action as text, in braces and as a struct. */
extern "C" {
#include "jobs.h"
}

#include <immutabledata.hpp>

namespace imd = immutabledata;

struct done {
  std::string id;
  double at;
  int count;
};
IMD_TYPE(done, id, at, count)

static void *open_store() {
  const auto reduce = [](const imd::value &state, const imd::value &action) {
    return state.set("/last", action["/payload"]);
  };
  return new auto(imd::store::create({{"last", ""}}, reduce));
}

static void dispatch_text(void *context) {
  auto &store = *static_cast<imd::store *>(context);
  for (int i = 0; i < OPERATIONS; i++)
    store.dispatch(R"({"type":"added","payload":"Feed the cat"})");
}

static void dispatch_braces(void *context) {
  auto &store = *static_cast<imd::store *>(context);
  for (int i = 0; i < OPERATIONS; i++)
    store.dispatch({{"type", "added"}, {"payload", "Feed the cat"}});
}

static void dispatch_nested_text(void *context) {
  auto &store = *static_cast<imd::store *>(context);
  for (int i = 0; i < OPERATIONS; i++)
    store.dispatch(R"({"type":"done","payload":{"id":"a17","at":0.5,"count":3}})");
}

static void dispatch_nested_braces(void *context) {
  auto &store = *static_cast<imd::store *>(context);
  for (int i = 0; i < OPERATIONS; i++)
    store.dispatch({{"type", "done"}, {"payload", {{"id", "a17"}, {"at", 0.5}, {"count", 3}}}});
}

static void dispatch_struct(void *context) {
  auto &store = *static_cast<imd::store *>(context);
  for (int i = 0; i < OPERATIONS; i++) store.dispatch(done{"a17", 0.5, 3});
}

extern "C" const job form_jobs[] = {
    {"C++: dispatch of text", OPERATIONS, open_store, dispatch_text},
    {"C++: dispatch of braces", OPERATIONS, open_store, dispatch_braces},
    {"C++: dispatch of text, nested", OPERATIONS, open_store, dispatch_nested_text},
    {"C++: dispatch of braces, nested", OPERATIONS, open_store, dispatch_nested_braces},
    {"C++: dispatch of a struct", OPERATIONS, open_store, dispatch_struct},
    {nullptr, 0, nullptr, nullptr},
};
