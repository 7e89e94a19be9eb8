// from_json: a struct read from a JSON document, as Spark's JsonToStructs without options. Input: a
// string. Output: a struct of strings, booleans and numbers, arrays of such, maps and structs. In
// doubt are documents that are no such object (json_values.h).
//   from_json('{"b":[1,null],"a":"x"}') = {"x", [1, null], null}, where there is a field c too
// Source: Spark's JsonToStructsEvaluator.
#include "expressions/json_values.h"
#include "expressions/tried_texts.h"
#include "vocabulary/text_types.h"

namespace reprise {

MadeExpression MakeFromJson(FunctionCall call) {
  auto type = JsonTextTree(call.spec.type);
  if (!type || type->form != NestedType::Form::kStruct) {
    return Status::NotImplemented("from_json to ", call.spec.type.ToString());
  }
  ARROW_ASSIGN_OR_RAISE(auto zone, ZoneRules::Of(call.spec));
  auto reader = std::make_shared<JsonValueReader>(*std::move(type), std::move(zone));
  return MakeTriedTexts<arrow::BinaryBuilder>(
      std::move(call),
      [reader](Texts texts, std::string* out) { return reader->Read(texts[0], out); });
}

}  // namespace reprise
