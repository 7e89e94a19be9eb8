// length, bit_length, octet_length and ascii of strings, and position: numbers that strings have.
// Input: one string or binary; position: two strings. Output: integer. The length of a string is in
// characters, ascii is the code point of the first one, 0 where there is none, and position is that
// of the first occurrence of the second in the first, counted in characters from 1, 0 where there
// is none (Spark's Length, BitLength, OctetLength, Ascii, StringInstr).
//   length("größe") = 5;  ascii("größe") = 103;  position("banana", "an") = 2
#include "expressions/checked_rows.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/string_position.h"
#include "expressions/string_values.h"
#include "plan/replaced_text.h"
#include "plan/utf8.h"

namespace reprise {

namespace {

int32_t Characters(std::string_view text) { return static_cast<int32_t>(CountCharacters(text)); }
int32_t Octets(std::string_view text) { return static_cast<int32_t>(text.size()); }
// The multiplication wraps in Java too.
int32_t Bits(std::string_view text) { return static_cast<int32_t>(8 * text.size()); }

// Of what is not UTF-8 Java reads U+FFFD.
int32_t FirstCodePoint(std::string_view text) {
  if (text.empty()) return 0;
  const std::string first = ReplacedText(text.substr(0, NextCharacter(text, 0)));
  const auto lead = static_cast<uint8_t>(first[0]);
  const size_t bytes = CharacterBytes(first[0]);
  int32_t point = bytes == 1 ? lead : lead & (0x7F >> bytes);
  for (size_t i = 1; i < bytes; ++i) point = point << 6 | (first[i] & 0x3F);
  return point;
}

template <int32_t (*kMeasure)(std::string_view)>
class Measure : public NullIntolerant {
 public:
  explicit Measure(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyStrings texts(arguments[0]);
    ARROW_ASSIGN_OR_RAISE(auto values, AllRowsOf<int32_t>(row_count, pool, [&](int64_t row) {
                            return nulls.IsValid(row) ? kMeasure(texts[row]) : 0;
                          }));
    return ToArray(std::move(values), nulls, row_count);
  }
};

class Position : public NullIntolerant {
 public:
  explicit Position(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyStrings texts(arguments[0]);
    const AnyStrings wanted(arguments[1]);
    ARROW_ASSIGN_OR_RAISE(auto values, AllRowsOf<int32_t>(row_count, pool, [&](int64_t row) {
                            return nulls.IsValid(row) ? PositionFrom(texts[row], wanted[row], 1)
                                                      : 0;
                          }));
    return ToArray(std::move(values), nulls, row_count);
  }
};

}  // namespace

MadeExpression MakeLength(FunctionCall call) {
  // Of a binary the length is in bytes.
  if (call.arguments[0]->type().is(TypeKind::kBinary)) {
    return std::make_unique<Measure<Octets>>(std::move(call));
  }
  return std::make_unique<Measure<Characters>>(std::move(call));
}
MadeExpression MakeOctetLength(FunctionCall call) {
  return std::make_unique<Measure<Octets>>(std::move(call));
}
MadeExpression MakeBitLength(FunctionCall call) {
  return std::make_unique<Measure<Bits>>(std::move(call));
}
MadeExpression MakeAscii(FunctionCall call) {
  return std::make_unique<Measure<FirstCodePoint>>(std::move(call));
}
MadeExpression MakePosition(FunctionCall call) {
  return std::make_unique<Position>(std::move(call));
}

}  // namespace reprise
