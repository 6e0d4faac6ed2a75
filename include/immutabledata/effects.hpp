/* HTTP requests of effects. */
#ifndef IMMUTABLEDATA_EFFECTS_HPP
#define IMMUTABLEDATA_EFFECTS_HPP

#include "callback.hpp"
#include "text.hpp"

#include <vector>

namespace immutabledata {

/* A header field. */
struct header {
  std::string name;
  std::string value;
};

/* A request, copied: a fetch function can move it to a thread. */
struct request_info {
  std::string method;
  std::string url;
  std::vector<header> headers;
  std::string body;
  bool is_streamed = false; /* the response does not end while the store is open */
};

/* Refers to a request that waits for its response, without owning it: copy it freely. Respond from
 * any thread, also after its store was closed: the functions then return false. */
class request {
 public:
  request() = default;
  explicit request(imd_request *handle) noexcept : handle_(handle) {}

#if IMMUTABLEDATA_EXCEPTIONS
  /* Ends the request with a response; body is the whole body or the rest of it. Returns false if
   * the request had ended before: it was answered or abandoned, or its store was closed. Throws
   * other errors. */
  bool resolve(int http_status, std::string_view body = {},
               const std::vector<header> &headers = {}) const {
    return detail::unless_closed(try_resolve(http_status, body, headers));
  }

  /* Passes on a part of the body as it arrives. Stop when it returns false. Returns and throws as
   * resolve does. */
  bool receive(int http_status, std::string_view part = {},
               const std::vector<header> &headers = {}) const {
    return detail::unless_closed(try_receive(http_status, part, headers));
  }

  /* Ends the request without a response, or without the rest of it. Returns and throws as resolve
   * does. */
  bool reject(const c_string &reason) const { return detail::unless_closed(try_reject(reason)); }
#endif

  /* The same functions with a result. IMD_CLOSED: the request has ended. */
  result<void> try_resolve(int http_status, std::string_view body = {},
                           const std::vector<header> &headers = {}) const {
    return respond(imd_request_resolve, http_status, body, headers);
  }
  result<void> try_receive(int http_status, std::string_view part = {},
                           const std::vector<header> &headers = {}) const {
    return respond(imd_request_receive, http_status, part, headers);
  }
  result<void> try_reject(const c_string &reason) const {
    return detail::attempt(
        self(), [&](imd_error *error) { return imd_request_reject(handle_, reason.get(), error); });
  }

  imd_request *handle() const noexcept { return handle_; }

 private:
  detail::subject self() const noexcept { return {"request", handle_}; }

  template <class Function>
  result<void> respond(Function function, int http_status, std::string_view body,
                       const std::vector<header> &headers) const {
    std::vector<imd_header> fields;
    for (const auto &[name, value] : headers) {
      if ((name + value).find('\0') != std::string::npos)
        return error(IMD_INVALID_ARGUMENT,
                     "the header \"" + name + "\" contains a NUL; leave it out");
      fields.push_back({name.c_str(), value.c_str()});
    }
    return detail::attempt(self(), [&](imd_error *error) {
      return function(handle_, http_status, fields.data(), fields.size(), detail::data(body),
                      body.size(), error);
    });
  }

  imd_request *handle_ = nullptr;
};

namespace detail {

inline request_info copy(const imd_request_info &info) {
  std::vector<header> headers;
  for (std::size_t i = 0; i < info.header_count; ++i)
    headers.push_back({info.headers[i].name, info.headers[i].value});
  return {info.method, info.url, std::move(headers), std::string(info.body, info.body_length),
          info.is_streamed != 0};
}

/* A fetch function that throws rejects its request, and the handler gets the exception. */
template <class Fetch>
void fetch(void *context, imd_request *handle, const imd_request_info *info) {
  const request request(handle);
  guard([&] { (*static_cast<Fetch *>(context))(request, copy(*info)); },
        [&](const error &thrown) {
          static_cast<void>(request.try_reject(thrown.what()));
          report(error("fetch of \"" + std::string(info->url) + "\"", thrown));
        });
}

}  // namespace detail
}  // namespace immutabledata

#endif
