/* JSON that a function takes: actions, arguments and options. */
#ifndef IMMUTABLEDATA_JSON_HPP
#define IMMUTABLEDATA_JSON_HPP

#include "writing.hpp"

namespace immutabledata {

/* JSON for one call: text, which is borrowed; a value or the braces of an object, which are
 * written as text; or nothing. Braces take what the braces of a value take, and make no value.
 *
 *     store.dispatch(R"({"type":"added"})");
 *     store.dispatch({{"type", "added"}});
 */
class json {
 public:
  json() = default;
  template <class Text, class = std::enable_if_t<detail::is_text<Text>>>
  json(const Text &text) : json(detail::to_view(text)) {}
  json(const value &value) : json(value.try_text()) {}
  template <class T, std::enable_if_t<detail::is_known<T>, int> = 0> json(const T &source) {
    detail::json_writer(written_, failure_).add(source);
    take_written();
  }
  json(std::initializer_list<detail::json_part::member> members) {
    written_.reserve(200); /* enough for most */
    detail::json_writer(written_, failure_).add_object(members);
    take_written();
  }
  json(const json &) = delete;
  json &operator=(const json &) = delete;

  /* The action of a struct with IMD_TYPE. */
  template <class Action> static json action(const Action &action) {
    return json(action, detail::tag<Action>());
  }

  /* The array of the actions of such structs. */
  template <class... Actions> static json batch(const Actions &...actions) {
    return json(batch_tag(), actions...);
  }

  /* The text for C functions, or NULL. */
  const char *data() const noexcept { return data_; }
  std::size_t size() const noexcept { return view_.size(); }

  /* Why the value or the braces could not be written. */
  const std::optional<error> &failure() const noexcept { return failure_; }

  /* The same for a required argument. */
  std::optional<error> failure(const char *noun) const {
    if (failure_ || data_) return failure_;
    return detail::empty_argument(noun);
  }

 private:
  /* NULL means no text, as in C. */
  explicit json(const result<std::string_view> &text)
      : view_(*text), data_(text ? detail::data(view_) : nullptr) {}

  explicit json(result<text> written) {
    if (!written) failure_ = written.error();
    text_ = *std::move(written);
    view_ = text_.view();
    data_ = view_.data();
  }

  template <class Action> json(const Action &action, detail::tag<Action>) {
    written_.reserve(200);
    detail::json_writer(written_, failure_).add_action(action);
    take_written();
  }

  /* The tag tells it from the constructors for JSON. */
  struct batch_tag {};
  template <class... Actions> json(batch_tag, const Actions &...actions) {
    detail::json_writer writer(written_, failure_);
    char before = '[';
    ((written_ += std::exchange(before, ','), writer.add_action(actions)), ...);
    written_ += ']';
    take_written();
  }

  void take_written() {
    view_ = written_;
    data_ = view_.data();
  }

  text text_;           /* of a value */
  std::string written_; /* of braces */
  std::string_view view_;
  const char *data_ = nullptr;
  std::optional<error> failure_;
};

}  // namespace immutabledata

#endif
