// An aggregate function whose state Spark keeps (transitions/guest_groups.h).
//
// What it is given becomes UnsafeRows: the columns that the function reads, of which Spark's own
// code evaluates the arguments, or buffers. Its state is in the JVM's heap and no part of the
// operator's memory: GroupStates bounds how many groups there are at a time.
#include <arrow/buffer.h>

#include <algorithm>

#include "operators/aggregate/accumulator.h"
#include "transitions/guest_groups.h"
#include "transitions/row_decoder.h"
#include "transitions/row_encoder.h"

namespace reprise {

namespace {

constexpr int64_t kFirstBytes = int64_t{1} << 16;
// Of a group's buffer or result, before there is any.
constexpr int64_t kRowBytesGuess = int64_t{1} << 10;

class GuestAccumulator final : public Accumulator {
 public:
  GuestAccumulator(const AggregateSpec& spec, arrow::MemoryPool* pool) : spec_(spec), pool_(pool) {}

  Status Grow(int32_t /*group_count*/) override {
    if (has_begun_) return Status::OK();
    has_begun_ = true;
    return spec_.guest->Clear();
  }

  Status Update(const GroupRows& rows, std::span<const Column> inputs) override {
    arrow::ArrayVector columns;
    std::vector<Field> fields;
    for (size_t i = 0; i < inputs.size(); ++i) {
      columns.push_back(inputs[i].array);
      fields.push_back({"", spec_.inputs[i].type, spec_.inputs[i].nullable});
    }
    ARROW_ASSIGN_OR_RAISE(const EncodedRows encoded,
                          Encode(fields, std::move(columns), rows.row_count, &rows_encoder_));
    return spec_.guest->Update(encoded, rows.groups);
  }

  Status Merge(const GroupRows& rows, const arrow::ArrayVector& buffers) override {
    ARROW_ASSIGN_OR_RAISE(const EncodedRows encoded,
                          Encode(spec_.buffer, buffers, rows.row_count, &buffers_encoder_));
    return spec_.guest->Merge(encoded, rows.groups);
  }

  Status KeepOnly(int32_t group) override {
    return Status::NotImplemented("a guest cannot keep group ", group, " alone");
  }

  int64_t StringBytes(int32_t begin, int32_t end) const override {
    return (end - begin) * row_bytes_;
  }

  Result<arrow::ArrayVector> Buffers(int32_t begin, int32_t end,
                                     arrow::MemoryPool* pool) const override {
    RETURN_NOT_OK(spec_.guest->Begin(begin, end, /*results=*/false));
    return Read(spec_.buffer, end - begin, pool);
  }

  Result<std::shared_ptr<arrow::Array>> Results(int32_t begin, int32_t end,
                                                arrow::MemoryPool* pool) const override {
    RETURN_NOT_OK(spec_.guest->Begin(begin, end, /*results=*/true));
    ARROW_ASSIGN_OR_RAISE(auto columns, Read({{"result", spec_.result, true}}, end - begin, pool));
    return columns[0];
  }

 private:
  Result<EncodedRows> Encode(const std::vector<Field>& fields, arrow::ArrayVector columns,
                             int64_t row_count, std::unique_ptr<UnsafeRowEncoder>* encoder) {
    if (*encoder == nullptr) {
      ARROW_ASSIGN_OR_RAISE(*encoder, UnsafeRowEncoder::Make(fields, pool_));
    }
    return (*encoder)->Encode(Batch{nullptr, std::move(columns), row_count, nullptr});
  }

  Result<arrow::ArrayVector> Read(const std::vector<Field>& fields, int32_t count,
                                  arrow::MemoryPool* pool) const {
    std::vector<int32_t> lengths(static_cast<size_t>(count));
    ARROW_ASSIGN_OR_RAISE(auto rows, arrow::AllocateResizableBuffer(kFirstBytes, pool));
    int64_t used = 0;
    for (int32_t read = 0; read < count;) {
      ARROW_ASSIGN_OR_RAISE(const RowSource::Filled filled,
                            spec_.guest->Fill(rows->mutable_data() + used, rows->size() - used,
                                              lengths.data() + read, count - read));
      for (int32_t i = 0; i < filled.rows; ++i) used += lengths[static_cast<size_t>(read++)];
      if (filled.rows > 0) continue;
      if (filled.needed_bytes == 0) {
        return Status::Invalid("a guest has given ", read, " groups of ", count);
      }
      RETURN_NOT_OK(rows->Resize(std::max(rows->size() * 2, used + filled.needed_bytes),
                                 /*shrink_to_fit=*/false));
    }
    if (count > 0) row_bytes_ = used / count;
    ARROW_ASSIGN_OR_RAISE(const auto decoder, UnsafeRowDecoder::Make(fields, pool));
    ARROW_ASSIGN_OR_RAISE(Batch decoded,
                          decoder->Decode({rows->data(), static_cast<size_t>(used)}, lengths));
    return std::move(decoded.columns);
  }

  const AggregateSpec& spec_;
  arrow::MemoryPool* pool_;
  bool has_begun_ = false;
  std::unique_ptr<UnsafeRowEncoder> rows_encoder_;
  std::unique_ptr<UnsafeRowEncoder> buffers_encoder_;
  mutable int64_t row_bytes_ = kRowBytesGuess;  // of what was read last
};

}  // namespace

std::unique_ptr<Accumulator> MakeGuest(const AggregateSpec& spec, arrow::MemoryPool* pool) {
  return std::make_unique<GuestAccumulator>(spec, pool);
}

}  // namespace reprise
