// json_array_length: how many elements the array has that a JSON document is. Input: string.
// Output: int, null of what is no array. In doubt are arrays that Spark's parser may read otherwise
// (single quotes, control characters, what is no JSON); what follows the array nobody reads.
//   json_array_length('[1,{"a":[2,3]}]') = 2
// Source: Spark's JsonExpressionUtils, Jackson's parser.
#include "expressions/json_scanner.h"
#include "expressions/tried_texts.h"

namespace reprise {

namespace {

class ElementCount : public JsonScanner {
 public:
  using JsonScanner::JsonScanner;

  Tried Count(int32_t* count) {
    SkipSpaces();
    if (in_doubt()) return Tried::kInDoubt;
    if (is_at_end()) return Tried::kNull;
    // Whether the parser takes what else begins here, or refuses it, there is no array.
    if (!Peeks('[')) return static_cast<uint8_t>(rest()[0]) < 0x80 ? Tried::kNull : Tried::kInDoubt;
    *count = 0;
    ForEachElement([&] {
      ++*count;
      Skip(/*depth=*/1);
    });
    return in_doubt() ? Tried::kInDoubt : Tried::kValue;
  }
};

}  // namespace

MadeExpression MakeJsonArrayLength(FunctionCall call) {
  return MakeTriedTexts<arrow::Int32Builder>(std::move(call), [](Texts texts, int32_t* count) {
    return ElementCount(texts[0]).Count(count);
  });
}

}  // namespace reprise
