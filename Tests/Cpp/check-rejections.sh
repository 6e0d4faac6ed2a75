#!/bin/sh
# Mistakes do not compile, and the compiler says what to write.
#
#     check-rejections.sh INCLUDE-DIRECTORY COMPILER
set -eu
include=$1
compiler=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# compile STANDARD FLAGS...: compiles what it reads.
compile() {
  standard=$1
  shift
  "$compiler" "-std=$standard" -Wall -Werror -Wno-unused-variable -Wno-unused-but-set-variable \
    "-I$include" "$@" -x c++ -fsyntax-only - >"$work/output" 2>&1
}

# inside_function TEXT: prints a function with the text.
inside_function() {
  printf 'namespace imd = immutabledata;\nvoid test(imd::value v, imd::store store) {\n%s\n}\n' "$1"
}

# accepts TEXT: the text compiles.
accepts() {
  inside_function "$1" | compile c++20 -include "$work/all.hpp" || {
    echo "$compiler rejects: $1" >&2
    cat "$work/output" >&2
    failed=1
  }
}

# rejects TEXT WORDS: the text does not compile, and the compiler prints the words.
rejects() {
  if inside_function "$1" | compile c++20 -include "$work/all.hpp"; then
    echo "$compiler accepts: $1" >&2
    failed=1
  else
    expect "$2"
  fi
}

# needs_result TEXT...: the compiler reports that each expression ignores its result.
needs_result() {
  inside_function "$(printf '%s;\n' "$@")" | compile c++20 -include "$work/all.hpp" || true
  [ "$(grep -c 'error: ignoring return' "$work/output")" -eq $# ] || {
    printf '%s does not report that each result is ignored: %s\n' "$compiler" "$*" >&2
    cat "$work/output" >&2
    failed=1
  }
}

# expect WORDS: the compiler printed the words.
expect() {
  grep -qF "$1" "$work/output" || {
    printf '%s does not print: %s\n' "$compiler" "$1" >&2
    cat "$work/output" >&2
    failed=1
  }
}

printf '#include <%s>\n' immutabledata.hpp filesystem map vector >"$work/all.hpp"
echo 'struct added {}; IMD_TYPE(added)' >>"$work/all.hpp"
"$compiler" -std=c++20 -Wall -Werror -Wno-unused-variable -Wno-unused-but-set-variable \
  "-I$include" -x c++-header "$work/all.hpp" -o "$work/all.hpp.gch"

accepts 'v = v.set("/n", imd::value::parse(store.query("@")));'
accepts 'for (const auto &element : *v.try_elements()) static_cast<void>(element.count());'

# JSON text is not a string.
text='write value::parse(text) or value(text.view())'
rejects 'imd::value copy = store.query("@");' "$text"
rejects 'v = v.set("/n", store.query("@"));' "$text"
rejects 'store.dispatch({{"type", "x"}, {"payload", store.query("@")}});' "$text"

# A change is a new value.
immutable='values are immutable: state = state.set("/n", 2)'
rejects 'v["/n"] = 2;' "$immutable"
rejects 'v.at("/n") = "text";' "$immutable"
rejects '*v.try_at("/n") = 2;' "$immutable"
rejects 'v.try_at("/n") = 2;' 'operator='
needs_result 'v.set("/n", 2)' 'v.set("/n", v)' 'v.insert("/n", 2)' 'v.remove("/n")' 'v.slice(1)' 'v.diff(v)' \
  'v.patch(v)' 'v.merge(v)' 'v.try_set("/n", 2)' 'v.try_remove("/n")'

# An object that would end at once.
needs_result 'store.stream()' 'store.observe("n", [](const imd::value &) {})' \
  'imd::store::open("counter")'

# Types without a conversion that keeps their content.
characters='containers of characters are not text: pass UTF-8 as a std::string or std::string_view'
rejects 'imd::value path(std::filesystem::path("x"));' 'std::filesystem::path, has no end: '
rejects 'imd::value text(L"x");' "$characters"
rejects 'imd::value text(u8"x");' "$characters"
rejects 'imd::value text(std::vector<char>(1));' "$characters"
rejects 'imd::value numbers(std::map<int, int>{{1, 2}});' 'the keys of an object are text'
rejects 'imd::value large(static_cast<__int128>(1));' 'no matching'
rejects 'auto byte = v.as<char>();' 'a value is read as bool, an integer of up to 64 bits, a '
rejects 'auto step = imd::pointer("a", true);' 'is a key, as text, or an index'
rejects "auto step = imd::pointer('a');" 'is a key, as text, or an index'
rejects 'auto first = v[0];' 'ambiguous'

# Types without IMD_TYPE.
unknown='struct unknown { int n; };'
rejects "$unknown auto read = v.as<unknown>();" 'a type with IMD_TYPE or IMD_ENUM, or a'
rejects "$unknown auto read = imd::schema<std::vector<unknown>>();" \
  'write IMD_TYPE or IMD_ENUM behind a type of yours'
rejects "$unknown auto type = imd::action_type<unknown>();" \
  'write IMD_TYPE behind the struct of the action'

twice='two structs have the same type of action: give one a member action_type'
function='[](const imd::value &state, const added &) { return state; }'
accepts "auto reduce = imd::reducer($function);"
rejects "auto reduce = imd::reducer($function, $function);" "$twice"
rejects 'auto schema = imd::store_schema<imd::value, added, added>();' "$twice"

# Callbacks of another signature.
rejects 'auto other = imd::store::create("{}", [](const imd::value &state) { return state; });' \
  'a reducer takes two const value & and returns a value or a result<value>'
rejects 'auto observation = store.observe("n", [](int) {});' \
  'an observer takes a const delivery & or a const value &'
observer='[](const imd::value &) {}, {}, {}'
two='[](const imd::value &, const imd::value &) { return true; }'
three='[](const imd::value &, const imd::value &, const imd::value &) { return true; }'
accepts "auto observation = store.observe(\"n\", $observer, $two, $three);"
rejects "auto observation = store.observe(\"n\", $observer, $three);" \
  'a comparison takes two const value & and returns a bool'
rejects "auto observation = store.observe(\"n\", $observer, nullptr, $two);" \
  'a filter takes three const value & and returns a bool'
rejects "auto observation = store.observe(\"n\", $observer, nullptr, nullptr, $two);" \
  'a comparison of dependencies takes a std::size_t and two const value &, and returns a bool'
selector='a selector takes a const value & for each input, at most 16, returns a value or a result'
accepts 'store.define_function("n", {}, [](const imd::value &n) { return n; });'
accepts "store.define_function(\"n\", {}, $three);"
rejects 'store.define_function("n", {}, [] { return 1; });' "$selector"
rejects 'store.define_function("n", {}, [](const imd::value &) {});' "$selector"
rejects 'store.define_function("n", {}, [i = 0](const imd::value &) mutable { return ++i; });' \
  "$selector"
rejects 'store.set_fetch([](imd::request) {});' \
  'a fetch function takes a request and a request_info'

# Text that ends before its view; only clang sees it.
if "$compiler" --version | grep -q clang; then
  rejects 'std::string_view view = store.query("@");' 'will be destroyed'
  rejects 'const char *view = store.query("@").c_str();' 'will be destroyed'
  rejects 'for (char c : v.text().view()) static_cast<void>(c);' 'will be destroyed'
fi

if echo '#include <immutabledata.hpp>' | compile c++11; then
  echo "$compiler accepts C++11" >&2
  failed=1
fi
expect 'immutabledata.hpp needs C++17: compile with -std=c++17 or later'
[ "$(grep -c 'error:' "$work/output")" -eq 1 ] || {
  echo "$compiler reports more than that the standard is too old" >&2
  failed=1
}
exit $failed
