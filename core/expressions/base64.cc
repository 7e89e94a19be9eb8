// base64: bytes as text of 64 characters. Input: binary. "chunks": in lines of 76 characters.
// Output: string.
//   base64("Spark SQL") = "U3BhcmsgU1FM"
// Source: Spark's Base64, java.util.Base64's MIME encoder.
#include <arrow/util/base64.h>

#include "expressions/built_texts.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/string_values.h"

namespace reprise {

namespace {

class Base64 final : public NullIntolerant {
 public:
  Base64(FunctionCall call, bool in_chunks)
      : NullIntolerant(call.spec.type, std::move(call.arguments), /*can_fail=*/false),
        in_chunks_(in_chunks) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyStrings bytes(arguments[0]);
    return BuildTexts(nulls, row_count, pool, [&](int64_t row, std::string* out) {
      *out = arrow::util::base64_encode(bytes[row]);
      if (in_chunks_) Divide(out);
      return Status::OK();
    });
  }

 private:
  static void Divide(std::string* text) {
    constexpr size_t kLine = 76;
    for (size_t at = kLine; at < text->size(); at += kLine + 2) text->insert(at, "\r\n");
  }

  const bool in_chunks_;
};

}  // namespace

MadeExpression MakeBase64(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(const bool in_chunks, BooleanAttribute(call.spec, "chunks"));
  return std::make_unique<Base64>(std::move(call), in_chunks);
}

}  // namespace reprise
