// The values of a line of CSV, where there is no doubt about what they are.
//
// Input:   a line without its end; separator, quote and escape.
// Output:  its values, quoted or not.
// Example: `1,"a ""b""",` with the escape `"` gives `1`, quoted `a "b"`, and an empty one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// How values are written: Spark's options of these names, one byte each; '\0': none.
struct CsvFormat {
  char separator = ',';
  char quote = '"';
  char escape = '\\';
};

struct CsvToken {
  std::string_view text;
  bool is_quoted = false;
};

/// The values of `line` to `tokens`. They point into it or, where quotes in a value were doubled,
/// into `unquoted`. False for a line that univocity's parser does not simply divide: quotes within
/// a value or not closed, escapes, bytes that are no UTF-8.
bool ReadCsvTokens(std::string_view line, const CsvFormat& format, std::vector<CsvToken>* tokens,
                   std::string* unquoted);

}  // namespace reprise
