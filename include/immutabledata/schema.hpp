/* The JSON Schema of types, for the option "schema" of a store. */
#ifndef IMMUTABLEDATA_SCHEMA_HPP
#define IMMUTABLEDATA_SCHEMA_HPP

#include "writing.hpp"

#include <vector>

namespace immutabledata {

namespace detail {

/* The address is the identity of a type. */
template <class T> inline constexpr char type_identity = 0;

/* Writes the schema of a type. Structs are definitions, so that they may contain themselves. */
class schema_writer {
 public:
  template <class T> std::string write() {
    std::string schema = of<T>();
    if (definitions_.empty()) return schema;
    schema.back() = ',';
    char before = '{';
    schema += "\"$defs\":";
    for (const auto &each : definitions_) {
      schema += std::exchange(before, ',');
      schema += quoted(each.name) + ':' + each.schema;
    }
    return schema + "}}";
  }

 private:
  struct definition {
    const void *type;
    std::string name;
    std::string schema;
  };

  template <class T> std::string of() {
    if constexpr (std::is_same_v<T, value>) {
      return "{}";
    } else if constexpr (std::is_same_v<T, bool>) {
      return R"({"type":"boolean"})";
    } else if constexpr (is_integer<T>) {
      return integer<T>();
    } else if constexpr (std::is_floating_point_v<T>) {
      return R"({"type":"number"})";
    } else if constexpr (is_text<T>) {
      return R"({"type":"string"})";
    } else if constexpr (is_optional<T>) {
      return R"({"anyOf":[)" + of<typename T::value_type>() + R"(,{"type":"null"}]})";
    } else if constexpr (is_known_enum<T>) {
      std::string names;
      visit_parts<T>([&](const enumerator<T> &each) {
        names += (names.empty() ? "" : ",") + quoted(each.name);
      });
      return R"({"enum":[)" + names + "]}";
    } else if constexpr (is_record<T>) {
      return R"({"$ref":)" + quoted("#/$defs/" + define<T>()) + '}';
    } else if constexpr (is_map<T>) {
      return R"({"type":"object","additionalProperties":)" + of<typename T::mapped_type>() + '}';
    } else {
      static_assert(is_sequence<T>, "a type has a schema if a value can be read as it: write "
                                    "IMD_TYPE or IMD_ENUM behind a type of yours");
      return R"({"type":"array","items":)" + of<typename T::value_type>() + '}';
    }
  }

  template <class Integer> static std::string integer() {
    using limits = std::numeric_limits<Integer>;
    std::string schema = R"({"type":"integer")";
    if constexpr (sizeof(Integer) < sizeof(std::int64_t) || std::is_unsigned_v<Integer>)
      schema += ",\"minimum\":" + std::to_string(limits::min());
    if constexpr (sizeof(Integer) < sizeof(std::int64_t))
      schema += ",\"maximum\":" + std::to_string(limits::max());
    return schema + '}';
  }

  /* Returns the name of the definition of a struct. */
  template <class Record> std::string define() {
    const void *const type = &type_identity<Record>;
    const std::size_t index = definitions_.size();
    std::string name(name_of<Record>());
    bool is_taken = false; /* by a struct of another namespace */
    for (const auto &each : definitions_) {
      if (each.type == type) return each.name;
      is_taken = is_taken || each.name == name;
    }
    if (is_taken) name += '-' + std::to_string(index); /* no identifier has a "-" */
    definitions_.push_back({type, name, {}});
    std::string properties, required;
    visit_parts<Record>([&](const auto &field) {
      using member = std::decay_t<decltype(std::declval<Record &>().*field.member)>;
      properties += (properties.empty() ? "" : ",") + quoted(field.name) + ':' + of<member>();
      if constexpr (!is_optional<member>)
        required += (required.empty() ? "" : ",") + quoted(field.name);
    });
    definitions_[index].schema = R"({"type":"object","properties":{)" + properties +
                                 R"(},"required":[)" + required +
                                 R"(],"additionalProperties":false})";
    return name;
  }

  static std::string quoted(std::string_view name) { return '"' + std::string(name) + '"'; }

  std::vector<definition> definitions_;
};

template <class T> std::string schema_text() { return schema_writer().write<T>(); }

}  // namespace detail

/* Returns the JSON Schema of a type that value::as can read. An object has no other members than
 * the struct; only those that are a std::optional may be missing or null. */
template <class T> value schema() {
  return detail::unwrap(value::try_parse(detail::schema_text<T>()));
}

/* Returns the option "schema" of a store, with the types of its state and of its actions:
 *
 *     imd::store::create(board{}, reduce, {{"schema", imd::store_schema<board, added>()}})
 */
template <class State, class... Actions> value store_schema() {
  static_assert(detail::have_distinct_types<Actions...>(),
                "two structs have the same type of action: give one a member action_type");
  std::string text = R"({"state":)" + detail::schema_text<State>() + R"(,"actions":{)";
  const std::size_t begin = text.size();
  std::optional<error> failure;
  const auto add = [&](std::string_view type, const std::string &schema) {
    if (text.size() > begin) text += ',';
    detail::json_writer(text, failure).add(type);
    text += ':' + schema;
  };
  (add(action_type<Actions>(), detail::schema_text<Actions>()), ...);
  if (failure) return detail::unwrap(*failure);
  return detail::unwrap(value::try_parse(text + "}}"));
}

}  // namespace immutabledata

#endif
