// parse_url: a part of a URL, or of its query the value of a key. Inputs: URL, part, and perhaps
// key, all strings. Output: string, null where the URL has no such part. In doubt are URLs but
// scheme://host[:port][path][?query][#fragment] of plain characters, which java.net.URI may read
// otherwise or refuse, parts and keys that are no literals, and keys that are patterns.
//   parse_url('http://spark.apache.org/path?query=1', 'HOST') = 'spark.apache.org'
//   parse_url('http://spark.apache.org/path?query=1', 'QUERY', 'query') = '1'
// Source: Spark's ParseUrlEvaluator, java.net.URI's parser.
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "expressions/tried_texts.h"

namespace reprise {

namespace {

constexpr size_t kPortDigitsMax = 9;  // of a Java int, whatever they are

/// Of paths, queries and fragments, those that need no escape in any of them.
bool IsPlain(char c) {
  static constexpr std::string_view kMarks = "-_.!~*'(),;:$&+=/@";
  return IsAsciiLetterOrDigit(c) || kMarks.find(c) != std::string_view::npos;
}

/// The parts of a URL, views of its text.
struct Url {
  std::string_view scheme;
  std::string_view authority;
  std::string_view host;
  std::string_view path;
  std::optional<std::string_view> query;
  std::optional<std::string_view> fragment;
  std::string_view file;  ///< path and query
};

/// Letters, digits and hyphens between dots; the last label begins with a letter.
bool IsHostName(std::string_view host) {
  for (;;) {
    const size_t dot = host.find('.');
    const std::string_view label = host.substr(0, dot);
    const bool is_label =
        !label.empty() && IsAsciiLetterOrDigit(label.front()) &&
        IsAsciiLetterOrDigit(label.back()) &&
        std::ranges::all_of(label, [](char c) { return IsAsciiLetterOrDigit(c) || c == '-'; });
    if (!is_label) return false;
    if (dot == std::string_view::npos) return IsAsciiLetter(label.front());
    host.remove_prefix(dot + 1);
  }
}

/// Nothing where Java may read another one, or none.
std::optional<Url> ReadUrl(std::string_view text) {
  Url url;
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || !text.substr(colon).starts_with("://"))
    return std::nullopt;
  url.scheme = text.substr(0, colon);
  if (url.scheme.empty() || !IsAsciiLetter(url.scheme.front())) return std::nullopt;
  if (!std::ranges::all_of(url.scheme, IsAsciiLetterOrDigit)) return std::nullopt;
  std::string_view rest = text.substr(colon + 3);

  url.authority = rest.substr(0, rest.find_first_of("/?#"));
  const size_t port = url.authority.find(':');
  url.host = url.authority.substr(0, port);
  if (!IsHostName(url.host)) return std::nullopt;
  if (port != std::string_view::npos) {
    const std::string_view digits = url.authority.substr(port + 1);
    if (digits.empty() || digits.size() > kPortDigitsMax) return std::nullopt;
    if (!std::ranges::all_of(digits, IsAsciiDigit)) return std::nullopt;
  }
  rest.remove_prefix(url.authority.size());

  const size_t hash = rest.find('#');
  if (hash != std::string_view::npos) url.fragment = rest.substr(hash + 1);
  url.file = rest.substr(0, hash);
  const size_t mark = url.file.find('?');
  url.path = url.file.substr(0, mark);
  if (mark != std::string_view::npos) url.query = url.file.substr(mark + 1);
  if (!std::ranges::all_of(url.path, IsPlain)) return std::nullopt;
  if (url.query && !std::ranges::all_of(*url.query, IsPlain)) return std::nullopt;
  if (url.fragment && !std::ranges::all_of(*url.fragment, IsPlain)) return std::nullopt;
  return url;
}

using Part = std::optional<std::string_view> (*)(const Url& url);

Part PartOf(std::string_view name) {
  static constexpr std::pair<std::string_view, Part> kParts[] = {
      {"HOST", [](const Url& url) -> std::optional<std::string_view> { return url.host; }},
      {"PATH", [](const Url& url) -> std::optional<std::string_view> { return url.path; }},
      {"QUERY", [](const Url& url) { return url.query; }},
      {"REF", [](const Url& url) { return url.fragment; }},
      {"PROTOCOL", [](const Url& url) -> std::optional<std::string_view> { return url.scheme; }},
      {"FILE", [](const Url& url) -> std::optional<std::string_view> { return url.file; }},
      {"AUTHORITY",
       [](const Url& url) -> std::optional<std::string_view> { return url.authority; }},
  };
  for (const auto& [known, part] : kParts) {
    if (known == name) return part;
  }
  // Who there is before an @ is in doubt; another part no URL has.
  return [](const Url&) -> std::optional<std::string_view> { return std::nullopt; };
}

/// What stands behind the first `key=` of a query.
std::optional<std::string_view> ValueOf(std::string_view query, std::string_view key) {
  for (;;) {
    const size_t end = query.find('&');
    const std::string_view pair = query.substr(0, end);
    if (pair.size() > key.size() && pair.starts_with(key) && pair[key.size()] == '=') {
      return pair.substr(key.size() + 1);
    }
    if (end == std::string_view::npos) return std::nullopt;
    query.remove_prefix(end + 1);
  }
}

}  // namespace

MadeExpression MakeParseUrl(FunctionCall call) {
  const auto name = LiteralText(call, 1);
  const bool has_key = call.arguments.size() > 2;
  const auto key = has_key ? LiteralText(call, 2) : std::nullopt;
  const bool is_sure = name && (!has_key || (key && std::ranges::all_of(*key, [](char c) {
                                               return IsAsciiLetterOrDigit(c) || c == '_';
                                             })));
  const Part part = is_sure ? PartOf(*name) : nullptr;
  const bool has_value = !has_key || (name && *name == "QUERY");
  return MakeTriedTexts<arrow::StringBuilder>(
      std::move(call), [part, key, has_value](Texts texts, std::string* value) {
        if (part == nullptr) return Tried::kInDoubt;
        if (!has_value) return Tried::kNull;
        const auto url = ReadUrl(texts[0]);
        if (!url) return Tried::kInDoubt;
        auto found = part(*url);
        if (found && key) found = ValueOf(*found, *key);
        if (!found) return Tried::kNull;
        *value = *found;
        return Tried::kValue;
      });
}

}  // namespace reprise
