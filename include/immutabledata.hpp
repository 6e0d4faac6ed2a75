/* immutabledata for C++17: the functions of immutabledata.h as classes. Header only; it needs that
 * header, the standard library, and libimmutabledata.
 *
 * A complete program (c++ -std=c++17 todo.cpp $(pkg-config --cflags --libs immutabledata)):
 *
 *     #include <immutabledata.hpp>
 *     #include <iostream>
 *
 *     namespace imd = immutabledata;
 *
 *     int main() {
 *       auto reducer = [](const imd::value &state, const imd::value &action) {
 *         if (action["/type"] == "added") return state.insert("/todos/-", action["/payload"]);
 *         throw std::invalid_argument("expected the type \"added\"");
 *       };
 *       try {
 *         auto store = imd::store::create({{"todos", imd::array()}}, reducer);
 *         store.define_selector("count", "length(todos)");
 *         auto observation = store.observe("count", [](const imd::value &count) {
 *           std::cout << count << " to do\n";
 *         });
 *         store.dispatch({{"type", "added"}, {"payload", "Feed the cat"}});
 *         std::cout << store.state()["/todos/0"] << '\n';
 *         store.dispatch({{"type", "removed"}});
 *       } catch (const imd::error &error) {
 *         std::cout << imd_status_name(error.status()) << ": " << error.what() << '\n';
 *       }
 *     }
 *
 * Conventions
 *
 * Names       Statuses and kinds keep the names of C: IMD_NOT_FOUND, IMD_OBJECT. A function does
 *             what the C function of the same or a similar name does; immutabledata.h has the
 *             details.
 * Errors      A function that can fail has two forms. f throws immutabledata::error; try_f returns
 *             a result, which holds either what f returns or the error. Without exceptions
 *             (-fno-exceptions) only try_f exists. Compile all files of a program with
 *             exceptions, or all of them without.
 * Text        UTF-8. JSON is taken as text or as a value, see json. Names and JSON Pointers are
 *             taken as c_string: any string; one with a NUL inside yields IMD_INVALID_ARGUMENT.
 * Ownership   Copying a value copies a reference, in O(1). A store, observation, stream, group,
 *             cursor or text is move-only. A destructor closes, cancels or releases what its object
 *             owns.
 * Moved from  An object that was moved from, or default constructed, is empty. Empty objects can be
 *             destroyed and assigned to. Their functions that can fail yield IMD_INVALID_ARGUMENT;
 *             close and cancel do nothing.
 * Order       Objects may be destroyed in any order. Values outlive their store. A stream of a
 *             closed store delivers the actions that wait, and then yields IMD_CLOSED; cancelling
 *             an observation does nothing.
 * Threads     Functions of one store, observation, stream, request or effect may be called from any
 *             thread at the same time. While a thread moves, assigns to, detaches or destroys an
 *             object, no other may use it: to end a store or stream that other threads use, call
 *             close. Copies of one value may be used from any thread; only one thread at a time may
 *             use a cursor or a text.
 * Borrowed    A const value & that a callback or a loop passes is valid until the callback
 *             returns or the loop advances. Copy the value to keep it.
 * Callbacks   Any callable, such as a lambda: it is moved to the heap, and destroyed when the
 *             library releases it. An exception never propagates through the library: see
 *             store::create, store::define_function, store::observe and store::set_fetch.
 */
#ifndef IMMUTABLEDATA_HPP
#define IMMUTABLEDATA_HPP

#if __cplusplus < 201703L
#error "immutabledata.hpp needs C++17: compile with -std=c++17 or later"
#else

#include "immutabledata/error.hpp"        // error, result
#include "immutabledata/text.hpp"         // text, c_string, pointer
#include "immutabledata/value.hpp"        // value, array, object
#include "immutabledata/cursor.hpp"       // cursor, elements, members
#include "immutabledata/record.hpp"       // IMD_TYPE, IMD_ENUM
#include "immutabledata/reading.hpp"      // value::as for types of the program
#include "immutabledata/json.hpp"         // json: text or value
#include "immutabledata/schema.hpp"       // schema, store_schema
#include "immutabledata/library.hpp"      // version, domains, limits, log drivers
#include "immutabledata/callback.hpp"     // set_error_handler
#include "immutabledata/observation.hpp"  // delivery, observation
#include "immutabledata/selector.hpp"     // functions as selectors
#include "immutabledata/stream.hpp"       // stream
#include "immutabledata/history.hpp"      // group
#include "immutabledata/effects.hpp"      // request
#include "immutabledata/program_effects.hpp" // effect
#include "immutabledata/store.hpp"        // store
#include "immutabledata/reducer.hpp"      // reducer: functions of typed actions
#include "immutabledata/log.hpp"          // log, migration

#endif
#endif
