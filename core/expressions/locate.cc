// locate: where a string begins in another, from some character on.
// Input: the string that is looked for and the one that it is looked for in; attribute `start`, a
// character's number from 1. Output: integer, the number of the character, 0 where there is none or
// `start` is below 1 (Spark's StringLocate, UTF8String.indexOf).
//   locate("a", "banana", 3) = 4
#include "expressions/checked_rows.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/string_position.h"
#include "expressions/string_values.h"

namespace reprise {

namespace {

class Locate : public NullIntolerant {
 public:
  Locate(FunctionCall call, int32_t start)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false), start_(start) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyStrings wanted(arguments[0]);
    const AnyStrings texts(arguments[1]);
    ARROW_ASSIGN_OR_RAISE(auto values, AllRowsOf<int32_t>(row_count, pool, [&](int64_t row) {
                            if (!nulls.IsValid(row)) return 0;
                            return PositionFrom(texts[row], wanted[row], start_);
                          }));
    return ToArray(std::move(values), nulls, row_count);
  }

 private:
  int32_t start_;
};

}  // namespace

MadeExpression MakeLocate(FunctionCall call) {
  const auto start = call.spec.attributes.find("start");
  if (start == call.spec.attributes.end() || !start->is_number_integer()) {
    return Status::Invalid("locate: the attribute \"start\" is no integer");
  }
  const auto number = start->get<int32_t>();
  return std::make_unique<Locate>(std::move(call), number);
}

}  // namespace reprise
