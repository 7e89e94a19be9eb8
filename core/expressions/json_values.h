// Nested values of JSON as the bytes in which Spark's rows keep them: what columns of JSON files
// and from_json have in common.
//
// Input:   the text of an object or of an array; its type. Output: the bytes of an UnsafeRow, an
//          UnsafeMapData or an UnsafeArrayData.
// Example: of struct<a: string, b: array<int>> the text {"b":[1,null],"c":2} is {null, [1, null]}.
//
// In doubt are texts of which a value is not of its type in the usual form (plain_text.h), that
// name a struct's field twice, or that Spark's parser may read otherwise (json_scanner.h).
// Source: Spark's JacksonParser.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expressions/zone_rules.h"
#include "plan/nested_type.h"

namespace reprise {

/// The number as Jackson rounds it, which does that once or, by way of a double, twice; nothing
/// where these differ.
std::optional<float> ReadJsonFloat(std::string_view text);

class JsonValueReader {
 public:
  /// Of values of `type`, as JsonTextTree gives it. `zone` is that of timestamps that name none.
  JsonValueReader(NestedType type, ZoneRules zone)
      : type_(std::move(type)), zone_(std::move(zone)) {}

  /// Appends the bytes of the value that `text` is. False where that is in doubt: what has been
  /// appended then is nothing.
  bool Read(std::string_view text, std::string* out);

 private:
  class Walk;

  /// A value that stands in another one.
  struct Item {
    bool is_met = false;
    bool is_null = true;
    uint64_t word = 0;  ///< of a value that is no more than a word
    size_t begin = 0;   ///< where its bytes stand in Level::bytes, if it is more
    size_t size = 0;
  };
  /// What stands in a struct, an array or a map while it is read.
  struct Level {
    std::vector<Item> keys;
    std::vector<Item> items;
    std::string bytes;
  };

  const NestedType type_;
  const ZoneRules zone_;
  std::deque<Level> levels_;  // by depth, kept from value to value
};

}  // namespace reprise
