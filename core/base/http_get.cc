#include "base/http_get.h"

#include <curl/curl.h>

#include <memory>

#include "base/shared_library.h"

namespace reprise {

namespace {

// Of libcurl, by its headers alone: the program loads it when it is to ask a server.
struct Functions {
  decltype(&curl_easy_init) init;
  decltype(&curl_easy_setopt) set;
  decltype(&curl_easy_perform) perform;
  decltype(&curl_easy_getinfo) info;
  decltype(&curl_easy_strerror) error;
  decltype(&curl_easy_cleanup) cleanup;
};

Result<Functions> LoadCurl() {
  ARROW_ASSIGN_OR_RAISE(const SharedLibrary library,
                        SharedLibrary::Load("libcurl.so.4", "libcurl",
                                            "install it (on Debian: apt-get install libcurl4)"));
  Functions found;
  RETURN_NOT_OK(library.Find("curl_easy_init", &found.init));
  RETURN_NOT_OK(library.Find("curl_easy_setopt", &found.set));
  RETURN_NOT_OK(library.Find("curl_easy_perform", &found.perform));
  RETURN_NOT_OK(library.Find("curl_easy_getinfo", &found.info));
  RETURN_NOT_OK(library.Find("curl_easy_strerror", &found.error));
  RETURN_NOT_OK(library.Find("curl_easy_cleanup", &found.cleanup));
  return found;
}

size_t Append(char* bytes, size_t size, size_t count, void* body) {
  static_cast<std::string*>(body)->append(bytes, size * count);
  return size * count;
}

}  // namespace

Result<std::string> HttpGet(const std::string& url, int seconds) {
  static const auto* const kCurl = new Result<Functions>(LoadCurl());
  RETURN_NOT_OK(kCurl->status());
  const Functions& curl = **kCurl;
  const std::unique_ptr<CURL, decltype(curl.cleanup)> handle(curl.init(), curl.cleanup);
  if (handle == nullptr) return Status::IOError("libcurl cannot be set up");
  std::string body;
  curl.set(handle.get(), CURLOPT_URL, url.c_str());
  curl.set(handle.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl.set(handle.get(), CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl.set(handle.get(), CURLOPT_FOLLOWLOCATION, 1L);
  curl.set(handle.get(), CURLOPT_NOSIGNAL, 1L);
  curl.set(handle.get(), CURLOPT_TIMEOUT, static_cast<long>(seconds));
  curl.set(handle.get(), CURLOPT_WRITEFUNCTION, &Append);
  curl.set(handle.get(), CURLOPT_WRITEDATA, &body);
  const CURLcode done = curl.perform(handle.get());
  if (done != CURLE_OK) return Status::IOError(url, ": ", curl.error(done));
  long status = 0;
  curl.info(handle.get(), CURLINFO_RESPONSE_CODE, &status);
  constexpr long kOk = 200;
  if (status != kOk) return Status::IOError(url, " answers with status ", status);
  return body;
}

}  // namespace reprise
