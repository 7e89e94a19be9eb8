// hex: a number's or bytes' hexadecimal digits, as Spark's Hex. Input: bigint, string or binary.
// Output: string.
// conv: a number's digits in another base, as Spark's Conv of NumberConverter. Input: a string; two
// bases, literals, of which a negative one stands for signed digits. Output: string, null where a
// base is not one of 2 to 36 or the string is empty. In doubt where a number has more than 64 bits.
//   hex(255) = "FF";  conv("ff", 16, 2) = "11111111"
#include <algorithm>
#include <cstdlib>

#include "expressions/built_texts.h"
#include "expressions/null_intolerant.h"
#include "expressions/tried_texts.h"

namespace reprise {

namespace {

constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

void AppendDigits(uint64_t value, unsigned base, std::string* out) {
  char digits[64];
  char* first = std::end(digits);
  do {
    *--first = kDigits[value % base];
    value /= base;
  } while (value != 0);
  out->append(first, std::end(digits));
}

class Hex final : public NullIntolerant {
 public:
  explicit Hex(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), /*can_fail=*/false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const bool is_number = argument(0).type().is(TypeKind::kLong);
    const AnyStrings bytes = is_number ? AnyStrings() : AnyStrings(arguments[0]);
    const auto numbers = is_number ? AnyValues<int64_t>(arguments[0]) : AnyValues<int64_t>();
    return BuildTexts(nulls, row_count, pool, [&](int64_t row, std::string* out) {
      if (is_number) {
        AppendDigits(static_cast<uint64_t>(numbers[row]), 16, out);
      } else {
        AppendBytes(bytes[row], out);
      }
      return Status::OK();
    });
  }

 private:
  static void AppendBytes(std::string_view bytes, std::string* out) {
    for (const char c : bytes) {
      const auto byte = static_cast<uint8_t>(c);
      out->push_back(kDigits[byte >> 4]);
      out->push_back(kDigits[byte & 15]);
    }
  }
};

/// The digit's value, or -1 where the base has none such.
int DigitIn(int base, char c) {
  int digit = -1;
  if (c >= '0' && c <= '9') digit = c - '0';
  if (c >= 'A' && c <= 'Z') digit = c - 'A' + 10;
  if (c >= 'a' && c <= 'z') digit = c - 'a' + 10;
  return digit < base ? digit : -1;
}

/// The number that `text` begins with; nothing where it has more than 64 bits.
std::optional<uint64_t> ReadDigits(std::string_view text, int base) {
  uint64_t value = 0;
  for (const char c : text) {
    const int digit = DigitIn(base, c);
    if (digit < 0) break;
    const bool fits = !__builtin_mul_overflow(value, static_cast<uint64_t>(base), &value) &&
                      !__builtin_add_overflow(value, static_cast<uint64_t>(digit), &value);
    if (!fits) return std::nullopt;
  }
  return value;
}

Tried Convert(std::string_view text, int from, int to, std::string* out) {
  const auto is_base = [](int base) { return base >= 2 && base <= 36; };
  const size_t begin = std::min(text.find_first_not_of(' '), text.size());
  text = text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
  if (!is_base(from) || !is_base(std::abs(to)) || text.empty()) return Tried::kNull;
  bool is_negative = text[0] == '-';
  const auto digits = ReadDigits(text.substr(is_negative ? 1 : 0), from);
  if (!digits) return Tried::kInDoubt;
  uint64_t value = *digits;
  const bool has_sign_bit = static_cast<int64_t>(value) < 0;
  if (is_negative && to > 0) value = has_sign_bit ? ~uint64_t{0} : -value;
  if (to < 0 && has_sign_bit) {
    value = -value;
    is_negative = true;
  }
  if (is_negative && to < 0) out->push_back('-');
  AppendDigits(value, static_cast<unsigned>(std::abs(to)), out);
  return Tried::kValue;
}

}  // namespace

MadeExpression MakeHex(FunctionCall call) { return std::make_unique<Hex>(std::move(call)); }

MadeExpression MakeConv(FunctionCall call) {
  const auto from = LiteralNumber(call, 1);
  const auto to = LiteralNumber(call, 2);
  KeepSubject(&call);
  return MakeTriedTexts<arrow::StringBuilder>(std::move(call),
                                              [from, to](Texts texts, std::string* out) {
                                                if (!from || !to) return Tried::kInDoubt;
                                                return Convert(texts[0], *from, *to, out);
                                              });
}

}  // namespace reprise
