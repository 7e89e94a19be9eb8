#include "scan/orc_nested.h"

#include <arrow/array/concatenate.h>
#include <arrow/array/util.h>

#include <algorithm>

#include "operators/gather.h"
#include "scan/orc_nullable_column.h"
#include "transitions/stored_column.h"

namespace reprise {

namespace {

using Parts = std::vector<OrcPart>;

// Lengths of lists that lie take no more memory than so many elements do: their streams end before.
constexpr int64_t kElementsAtOnce = int64_t{1} << 20;

/// The next values of a part.
Result<std::shared_ptr<arrow::Array>> ReadPart(OrcColumn* column, int64_t count,
                                               arrow::MemoryPool* pool) {
  if (count <= kElementsAtOnce) return column->Read(count);
  arrow::ArrayVector pieces;
  for (int64_t read = 0; read < count; read += pieces.back()->length()) {
    ARROW_ASSIGN_OR_RAISE(auto piece, column->Read(std::min(kElementsAtOnce, count - read)));
    pieces.push_back(std::move(piece));
  }
  return arrow::Concatenate(pieces, pool);
}

Status SeekColumns(const Parts& parts, const OrcPlaces& places) {
  for (const OrcPart& part : parts) {
    if (part.column != nullptr) RETURN_NOT_OK(part.column->Seek(places));
  }
  return Status::OK();
}

class StructColumn final : public NullableOrcColumn {
 public:
  StructColumn(const OrcColumnSource& source, Parts fields, StoredStructs structs)
      : NullableOrcColumn(source), fields_(std::move(fields)), structs_(std::move(structs)) {}

 private:
  Result<std::shared_ptr<arrow::Array>> ReadValues(int64_t rows, int64_t values,
                                                   const int16_t* levels,
                                                   const BatchValidity& /*validity*/) override {
    arrow::ArrayVector columns(fields_.size());
    for (size_t i = 0; i < fields_.size(); ++i) {
      if (fields_[i].column == nullptr) continue;
      ARROW_ASSIGN_OR_RAISE(columns[i], fields_[i].column->Read(values));
    }
    // After the others, whose streams have shown that there are so many.
    for (size_t i = 0; i < fields_.size(); ++i) {
      if (columns[i] != nullptr) continue;
      ARROW_ASSIGN_OR_RAISE(const auto type, ToArrow(fields_[i].type));
      ARROW_ASSIGN_OR_RAISE(columns[i], arrow::MakeArrayOfNull(type, values, pool()));
    }
    ARROW_ASSIGN_OR_RAISE(auto dense, structs_.Of(std::move(columns), values, StoredNulls()));
    if (levels == nullptr) return dense;
    ARROW_ASSIGN_OR_RAISE(const auto buffer, AllocateValues(rows, sizeof(int32_t), pool()));
    auto* indices = reinterpret_cast<int32_t*>(buffer->mutable_data());
    int32_t next = 0;
    for (int64_t row = 0; row < rows; ++row) indices[row] = levels[row] != 0 ? next++ : -1;
    return GatherRows(*dense, {indices, static_cast<size_t>(rows)}, Missing::kNull, pool());
  }
  Status SeekValues(OrcPositions* /*positions*/) override { return Status::OK(); }
  Status SeekParts(const OrcPlaces& places) override { return SeekColumns(fields_, places); }

  const Parts fields_;
  StoredStructs structs_;
};

class ListColumn final : public NullableOrcColumn {
 public:
  ListColumn(const OrcColumnSource& source, Parts parts)
      : NullableOrcColumn(source),
        parts_(std::move(parts)),
        lengths_(OrcIntegersOf(source, OrcStreamKind::kLength, /*is_signed=*/false)) {}

 private:
  Result<std::shared_ptr<arrow::Array>> ReadValues(int64_t rows, int64_t values,
                                                   const int16_t* levels,
                                                   const BatchValidity& validity) override {
    if (std::ssize(stored_) < values) stored_.resize(values);
    lengths_.Read(stored_.data(), values);
    RETURN_NOT_OK(lengths_.status());
    StoredLists lists;
    lists.count = rows;
    lists.nulls = {validity.bitmap(), validity.null_count()};
    constexpr OrcLengthWords kWords = {"a list", "elements", "2^31 elements"};
    ARROW_ASSIGN_OR_RAISE(lists.offsets, OrcOffsets(stored_, rows, levels, kWords, pool()));
    const int64_t elements = lists.offset(rows);
    ARROW_ASSIGN_OR_RAISE(const auto first, ReadPart(parts_[0].column.get(), elements, pool()));
    if (parts_.size() == 1) return StoredArrays(lists, parts_[0].type, *first, pool());
    ARROW_ASSIGN_OR_RAISE(const auto second, ReadPart(parts_[1].column.get(), elements, pool()));
    return StoredMaps(lists, parts_[0].type, *first, parts_[1].type, *second, pool());
  }

  Status SeekValues(OrcPositions* positions) override {
    lengths_.Seek(positions);
    return lengths_.status();
  }
  Status SeekParts(const OrcPlaces& places) override { return SeekColumns(parts_, places); }

  const Parts parts_;
  OrcIntegers lengths_;
  std::vector<int64_t> stored_;
};

Status CheckEncoding(const OrcColumnSource& source) {
  const OrcEncodingKind kind = source.encoding.kind;
  return kind == OrcEncodingKind::kDirect || kind == OrcEncodingKind::kDirect2
             ? Status::OK()
             : Status::Invalid("a column that is no string has a dictionary");
}

}  // namespace

Result<std::unique_ptr<OrcColumn>> MakeOrcStructs(const OrcColumnSource& source, Parts fields) {
  RETURN_NOT_OK(CheckEncoding(source));
  std::vector<Field> types;
  for (const OrcPart& field : fields) types.push_back({"", field.type, true});
  ARROW_ASSIGN_OR_RAISE(auto structs, StoredStructs::Make(types, source.pool));
  return std::make_unique<StructColumn>(source, std::move(fields), std::move(structs));
}

Result<std::unique_ptr<OrcColumn>> MakeOrcLists(const OrcColumnSource& source, Parts parts) {
  RETURN_NOT_OK(CheckEncoding(source));
  return std::make_unique<ListColumn>(source, std::move(parts));
}

}  // namespace reprise
