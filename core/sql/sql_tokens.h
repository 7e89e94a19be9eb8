// SQL text cut into tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace reprise {

struct SqlToken {
  enum class Kind {
    kName,        ///< a word: a keyword, a function or a column
    kQuotedName,  ///< `a column`
    kNumber,      ///< 12, 1.5, 2e3, 7L
    kString,      ///< 'it''s'
    kSymbol,      ///< an operator or a bracket
    kEnd,
  };
  Kind kind = Kind::kEnd;
  std::string
      text;  ///< names and numbers as written; strings and quoted names without their quotes
  size_t begin = 0;  ///< the position of its first character, from 0

  bool Is(std::string_view symbol) const { return kind == Kind::kSymbol && text == symbol; }
  /// Whether it is this word, in upper case, whatever its own case.
  bool IsWord(std::string_view word) const;
};

/// The tokens of `sql`, the last of kind kEnd. Strings as Spark reads them: in single or double
/// quotes, which are doubled within or follow a backslash; \% and \_ keep their backslash, for
/// LIKE. Status::Invalid names the character where a token cannot be read.
Result<std::vector<SqlToken>> SqlTokens(std::string_view sql);

/// "character 12: ", counted from 1, of the error at position `begin`.
std::string SqlPlace(size_t begin);

}  // namespace reprise
