// With what an attempt has failed, as its record says it: what a replay that fails is compared
// with.
//
//   {"condition":"DIVIDE_BY_ZERO","parameters":{"config":"…"},"text":"…","here":true}
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace reprise {

struct RaisedError {
  std::string condition;  ///< Spark's name of it ("DIVIDE_BY_ZERO"); empty: it has none
  std::map<std::string, std::string> parameters;  ///< of the condition; empty: nobody tells
  std::string text;  ///< the error's message; empty: hidden, since columns are masked
  /// Whether the operator itself has raised it, and not another one of its task; absent: nobody
  /// knows.
  std::optional<bool> here;

  /// Nothing is known of it but that there was one.
  bool empty() const { return condition.empty() && text.empty(); }
  /// Whether the other one is the same: condition and parameters, else text, of Python's the last
  /// line. What only one of the two tells counts where the other's text holds it; addresses in
  /// texts do not count.
  bool IsAs(const RaisedError& other) const;
  /// What errors of one kind share: the condition, else the text without what tells of the rows,
  /// which are digits and what stands in quotes. Empty where nothing is known.
  std::string Kind() const;
  /// "[DIVIDE_BY_ZERO]", or the text's first line, of Python's the last.
  std::string Summary() const;
};

/// What a failing Status tells.
RaisedError RaisedErrorOf(const Status& status);

/// A Status of this error, of which RaisedErrorOf gives it back; `message` is for people.
Status RaisedStatus(RaisedError error, std::string message);

/// Without what may tell of values.
RaisedError WithoutValues(RaisedError error);

nlohmann::json ToJson(const RaisedError& error);
/// The reader of the same. Status::Invalid names the member that is malformed.
Result<RaisedError> RaisedErrorFromJson(const nlohmann::json& json, const std::string& place);
/// The same of a text; what is no such JSON is an error of which nothing is known.
RaisedError RaisedErrorFromText(std::string_view json);

}  // namespace reprise
