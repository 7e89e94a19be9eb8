// The base of tests of a string against something constant: boolean, null where the string is null.
#pragma once

#include <arrow/array/array_dict.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "expressions/leaves.h"
#include "expressions/null_intolerant.h"
#include "expressions/values.h"

namespace reprise {

/// `Test` is called with a std::string_view and says whether it holds. A dictionary is looked
/// through once, entry by entry.
template <typename Test>
class StringPredicate : public NullIntolerant {
 public:
  StringPredicate(DataType type, std::vector<std::unique_ptr<Expression>> value, Test test)
      : NullIntolerant(std::move(type), std::move(value), false), test_(std::move(test)) {}

  Result<int64_t> Select(const Batch& batch, RowSet rows, arrow::MemoryPool* pool,
                         int32_t* out) const override {
    const Column leaf = LeafOf(argument(0), batch);
    if (!leaf.array) return Expression::Select(batch, rows, pool, out);
    const uint8_t* valid = leaf.array->null_count() > 0 ? leaf.array->null_bitmap_data() : nullptr;
    const int64_t offset = leaf.array->offset();
    int64_t count = 0;
    Visit(leaf, [&](auto holds) {
      count = WriteSelection(rows, out, [&](int64_t row) {
        return (valid == nullptr || arrow::bit_util::GetBit(valid, offset + row)) && holds(row);
      });
    });
    return count;
  }

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bits,
                          arrow::AllocateBuffer(arrow::bit_util::BytesForBits(row_count), pool));
    Visit(arguments[0], [&](auto holds) {
      WriteBits(row_count, bits->mutable_data(),
                [&](int64_t row) { return nulls.IsValid(row) && holds(row); });
    });
    return std::make_shared<arrow::BooleanArray>(row_count, std::move(bits), nulls.bits,
                                                 nulls.count);
  }

 private:
  // Calls f(holds), holds(row) for rows that are not null.
  template <typename F>
  void Visit(const Column& value, F&& f) const {
    if (value.is_scalar()) {
      const bool holds = test_(StringOf(*value.scalar));
      return f([=](int64_t) { return holds; });
    }
    if (value.array->type_id() == arrow::Type::DICTIONARY) {
      const auto& encoded = static_cast<const arrow::DictionaryArray&>(*value.array);
      const StringRows entries = StringsOf(*encoded.dictionary());
      std::vector<uint8_t> table(std::max<int64_t>(encoded.dictionary()->length(), 1));
      for (int64_t i = 0; i < encoded.dictionary()->length(); ++i) table[i] = test_(entries[i]);
      const DictionaryRows rows{RowsOf<int32_t>(encoded).data, table.data(),
                                static_cast<uint32_t>(table.size())};
      return f([=](int64_t row) { return rows[row] != 0; });
    }
    const StringRows rows = StringsOf(*value.array);
    f([=, this](int64_t row) { return test_(rows[row]); });
  }

  Test test_;
};

}  // namespace reprise
