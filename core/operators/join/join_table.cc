#include "operators/join/join_table.h"

#include <algorithm>
#include <limits>

#include "operators/join/join_keys.h"

namespace reprise {

namespace {

class KeylessJoinTable final : public JoinTable {
 public:
  explicit KeylessJoinTable(arrow::MemoryPool* pool)
      : JoinTable(ChainOrder::kEarliestFirst, pool) {}

  Status Finish() override {
    RETURN_NOT_OK(StartChains());
    for (int32_t row = row_count() - 1; row >= 0; --row) {
      Link(row, row + 1 < row_count() ? row + 1 : kNone);
    }
    EndChains();
    return Status::OK();
  }

  Status Find(const JoinKeys& keys, int32_t* heads) const override {
    std::fill_n(heads, keys.row_count(), row_count() > 0 ? 0 : kNone);
    return Status::OK();
  }

 private:
  Status AddKeys(const JoinKeys&) override { return Status::OK(); }
};

}  // namespace

Status JoinTable::Add(const JoinKeys& keys) {
  const int64_t rows = int64_t{row_count_} + keys.row_count();
  if (rows > std::numeric_limits<int32_t>::max() - 1) {
    return Status::CapacityError("more than ", std::numeric_limits<int32_t>::max() - 1,
                                 " rows on the build side of one partition");
  }
  if (keys.has_nulls() || has_null_key_) {
    RETURN_NOT_OK(is_null_.Resize(row_count_));  // earlier rows had no nulls: zero
    RETURN_NOT_OK(is_null_.ResizeUninitialised(rows));
    for (int64_t i = 0; i < keys.row_count(); ++i) is_null_[row_count_ + i] = keys.is_null(i);
    has_null_key_ = true;
  }
  row_count_ = static_cast<int32_t>(rows);
  return AddKeys(keys);
}

int64_t JoinTable::GrowthBytes(int64_t rows, int64_t) const {
  return has_null_key_ ? is_null_.GrowthBytes(rows) : 0;
}

Status JoinTable::StartChains() { return next_.ResizeUninitialised(row_count_); }

void JoinTable::EndChains() {
  is_null_.Release();
  if (is_unique_) next_.Release();
}

std::unique_ptr<JoinTable> MakeJoinTable(const JoinKeyLayout& layout, ChainOrder order,
                                         arrow::MemoryPool* pool) {
  return layout.word_count() > 0 ? MakeWordJoinTable(layout, order, pool)
                                 : MakeRunJoinTable(order, pool);
}

std::unique_ptr<JoinTable> MakeKeylessJoinTable(arrow::MemoryPool* pool) {
  return std::make_unique<KeylessJoinTable>(pool);
}

}  // namespace reprise
