// Input:  the levels and values of leaf columns, a batch of rows at a time.
// Output: for each part, from the leaves up, a column with a value or null for each of its slots.
// Example: the rows [{1}], null, [] and [null, {2}] of an array of structs of one number: that
//          number has the slots 1, null, 2, the struct {1}, null, {2}, and the array four.
#include "scan/parquet_nested_column.h"

#include <arrow/array/util.h>
#include <arrow/buffer_builder.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "operators/gather.h"
#include "transitions/stored_column.h"

namespace reprise {

/// A part of a nested column.
class NestedPart {
 public:
  explicit NestedPart(DataType type) : type_(std::move(type)) {}
  virtual ~NestedPart() = default;

  /// In which its values travel.
  const DataType& type() const { return type_; }
  /// A leaf column below it, of those that repeat least; null where the file has none.
  virtual const NestedLeaf* leaf() const = 0;
  /// Its slots in the rows at hand. `slots`: how many these are where the file has none of it.
  virtual Result<std::shared_ptr<arrow::Array>> Read(int64_t slots) const = 0;

 private:
  DataType type_;
};

namespace {

using Parts = std::vector<std::unique_ptr<NestedPart>>;

/// Calls `slot(definition)` for each slot of a part among the levels of a leaf below it, and for
/// what repeats within a slot `inner(definition, repetition)`.
template <typename Slot, typename Inner>
void ForSlots(const NestedLeaf& leaf, const NestedPlace& place, Slot&& slot, Inner&& inner) {
  const auto definition = leaf.definition();
  const auto repetition = leaf.repetition();
  for (size_t i = 0; i < definition.size(); ++i) {
    if (definition[i] < place.slot) continue;
    const int16_t repeats = repetition.empty() ? int16_t{0} : repetition[i];
    if (repeats <= place.repetition) {
      slot(definition[i]);
    } else {
      inner(definition[i], repeats);
    }
  }
}

/// Gathers which values are null.
class NullsBuilder {
 public:
  explicit NullsBuilder(arrow::MemoryPool* pool) : bits_(pool) {}

  /// For at most so many values.
  Status Reserve(int64_t count) { return bits_.Reserve(count); }
  void Append(bool is_present) { bits_.UnsafeAppend(is_present); }
  int64_t count() const { return bits_.length(); }

  Result<StoredNulls> Finish() {
    StoredNulls nulls;
    nulls.null_count = bits_.false_count();
    if (nulls.null_count == 0) return nulls;
    ARROW_ASSIGN_OR_RAISE(nulls.validity, bits_.Finish());
    return nulls;
  }

 private:
  arrow::TypedBufferBuilder<bool> bits_;
};

Status SlotsDiffer(int64_t expected, int64_t actual) {
  return Status::Invalid("a nested column has parts of ", expected, " and of ", actual,
                         " values that belong together");
}

/// A part's slots; Status::Invalid unless they are so many.
Result<std::shared_ptr<arrow::Array>> ReadSlots(const NestedPart& part, int64_t slots) {
  ARROW_ASSIGN_OR_RAISE(auto array, part.Read(slots));
  if (array->length() != slots) return SlotsDiffer(slots, array->length());
  return array;
}

class MissingPart final : public NestedPart {
 public:
  MissingPart(DataType type, arrow::MemoryPool* pool) : NestedPart(std::move(type)), pool_(pool) {}
  const NestedLeaf* leaf() const override { return nullptr; }

  Result<std::shared_ptr<arrow::Array>> Read(int64_t slots) const override {
    ARROW_ASSIGN_OR_RAISE(auto arrow_type, ToArrow(type()));
    return arrow::MakeArrayOfNull(arrow_type, slots, pool_);
  }

 private:
  arrow::MemoryPool* pool_;
};

class LeafPart final : public NestedPart {
 public:
  LeafPart(const NestedMatch& match, const NestedLeaf* leaf, arrow::MemoryPool* pool)
      : NestedPart(match.type), place_(match.place), leaf_(leaf), pool_(pool) {}
  const NestedLeaf* leaf() const override { return leaf_; }

  Result<std::shared_ptr<arrow::Array>> Read(int64_t /*slots*/) const override {
    const auto definition = leaf_->definition();
    const auto slots =
        std::ranges::count_if(definition, [this](int16_t level) { return level >= place_.slot; });
    const auto& values = leaf_->values();
    if (slots == values->length()) return values;
    ARROW_ASSIGN_OR_RAISE(
        auto buffer, arrow::AllocateBuffer(slots * static_cast<int64_t>(sizeof(int32_t)), pool_));
    auto* const indices = reinterpret_cast<int32_t*>(buffer->mutable_data());
    int32_t value = 0;
    int64_t slot = 0;
    for (const int16_t level : definition) {
      if (level < place_.slot) continue;
      indices[slot++] = level == leaf_->max_definition() ? value++ : -1;
    }
    return GatherRows(*values, {indices, static_cast<size_t>(slots)}, Missing::kNull, pool_);
  }

 private:
  const NestedPlace place_;
  const NestedLeaf* leaf_;
  arrow::MemoryPool* pool_;
};

const NestedLeaf* LeastRepeated(const Parts& parts) {
  const NestedLeaf* least = nullptr;
  for (const auto& part : parts) {
    const NestedLeaf* leaf = part->leaf();
    if (leaf == nullptr) continue;
    if (least == nullptr || leaf->max_repetition() < least->max_repetition()) least = leaf;
  }
  return least;
}

class StructPart final : public NestedPart {
 public:
  StructPart(const NestedMatch& match, Parts fields, const NestedLeaf* witness,
             StoredStructs structs, arrow::MemoryPool* pool)
      : NestedPart(match.type),
        place_(match.place),
        fields_(std::move(fields)),
        leaf_(witness != nullptr ? witness : LeastRepeated(fields_)),
        structs_(std::move(structs)),
        pool_(pool) {}
  const NestedLeaf* leaf() const override { return leaf_; }

  Result<std::shared_ptr<arrow::Array>> Read(int64_t /*slots*/) const override {
    NullsBuilder builder(pool_);
    RETURN_NOT_OK(builder.Reserve(std::ssize(leaf_->definition())));
    ForSlots(
        *leaf_, place_, [&](int16_t level) { builder.Append(level >= place_.present); },
        [](int16_t, int16_t) {});
    const int64_t count = builder.count();
    ARROW_ASSIGN_OR_RAISE(const StoredNulls nulls, builder.Finish());
    arrow::ArrayVector columns;
    for (const auto& field : fields_) {
      ARROW_ASSIGN_OR_RAISE(auto column, ReadSlots(*field, count));
      columns.push_back(std::move(column));
    }
    return structs_.Of(std::move(columns), count, nulls);
  }

 private:
  const NestedPlace place_;
  const Parts fields_;
  const NestedLeaf* leaf_;
  mutable StoredStructs structs_;  // has room that it uses again
  arrow::MemoryPool* pool_;
};

/// Arrays, of one part, and maps, of two.
class ListPart final : public NestedPart {
 public:
  ListPart(const NestedMatch& match, Parts parts, arrow::MemoryPool* pool)
      : NestedPart(match.type),
        place_(match.place),
        parts_(std::move(parts)),
        leaf_(LeastRepeated(parts_)),
        pool_(pool) {}
  const NestedLeaf* leaf() const override { return leaf_; }

  Result<std::shared_ptr<arrow::Array>> Read(int64_t /*slots*/) const override {
    ARROW_ASSIGN_OR_RAISE(const StoredLists lists, ReadLists());
    const int64_t elements = lists.offset(lists.count);
    ARROW_ASSIGN_OR_RAISE(const auto first, ReadSlots(*parts_[0], elements));
    if (parts_.size() == 1) return StoredArrays(lists, parts_[0]->type(), *first, pool_);
    ARROW_ASSIGN_OR_RAISE(const auto second, ReadSlots(*parts_[1], elements));
    return StoredMaps(lists, parts_[0]->type(), *first, parts_[1]->type(), *second, pool_);
  }

 private:
  Result<StoredLists> ReadLists() const {
    const auto levels = std::ssize(leaf_->definition());
    if (levels > std::numeric_limits<int32_t>::max()) {
      return Status::CapacityError("a batch has arrays or maps of ", levels, " elements");
    }
    NullsBuilder builder(pool_);
    RETURN_NOT_OK(builder.Reserve(levels));
    arrow::TypedBufferBuilder<int32_t> offsets(pool_);
    RETURN_NOT_OK(offsets.Reserve(levels + 1));
    int32_t elements = 0;
    bool is_whole = true;
    ForSlots(
        *leaf_, place_,
        [&](int16_t level) {
          offsets.UnsafeAppend(elements);
          builder.Append(level >= place_.present);
          if (level > place_.present) ++elements;
        },
        [&](int16_t, int16_t repetition) {
          is_whole = is_whole && builder.count() > 0;
          if (repetition == place_.repetition + 1) ++elements;
        });
    if (!is_whole) return Status::Invalid("a column of lists begins within one");
    offsets.UnsafeAppend(elements);
    StoredLists lists;
    lists.count = builder.count();
    ARROW_ASSIGN_OR_RAISE(lists.offsets, offsets.Finish());
    ARROW_ASSIGN_OR_RAISE(lists.nulls, builder.Finish());
    return lists;
  }

  const NestedPlace place_;
  const Parts parts_;
  const NestedLeaf* leaf_;
  arrow::MemoryPool* pool_;
};

class PartMaker {
 public:
  PartMaker(const NestedColumn::StartLeaf& start_leaf, arrow::MemoryPool* pool)
      : start_leaf_(start_leaf), pool_(pool) {}

  Result<std::unique_ptr<NestedPart>> Make(const NestedMatch& match) {
    Parts parts;
    for (const NestedMatch& part : match.parts) {
      ARROW_ASSIGN_OR_RAISE(auto made, Make(part));
      parts.push_back(std::move(made));
    }
    switch (match.form) {
      case NestedMatch::Form::kMissing:
        return std::make_unique<MissingPart>(match.type, pool_);
      case NestedMatch::Form::kLeaf: {
        ARROW_ASSIGN_OR_RAISE(const auto* leaf, Start(match.leaf, &match.type));
        return std::make_unique<LeafPart>(match, leaf, pool_);
      }
      case NestedMatch::Form::kStruct:
        return MakeStructPart(match, std::move(parts));
      case NestedMatch::Form::kArray:
      case NestedMatch::Form::kMap:
        break;
    }
    return std::make_unique<ListPart>(match, std::move(parts), pool_);
  }

  std::vector<std::unique_ptr<NestedLeaf>> TakeLeaves() { return std::move(leaves_); }

 private:
  Result<const NestedLeaf*> Start(int leaf, const DataType* type) {
    ARROW_ASSIGN_OR_RAISE(auto started, start_leaf_(leaf, type));
    leaves_.push_back(std::move(started));
    return leaves_.back().get();
  }

  Result<std::unique_ptr<NestedPart>> MakeStructPart(const NestedMatch& match, Parts fields) {
    std::vector<Field> types;
    for (const auto& field : fields) types.push_back({"", field->type(), true});
    ARROW_ASSIGN_OR_RAISE(auto structs, StoredStructs::Make(types, pool_));
    const NestedLeaf* witness = nullptr;
    if (match.witness >= 0) {
      ARROW_ASSIGN_OR_RAISE(witness, Start(match.witness, nullptr));
    }
    return std::make_unique<StructPart>(match, std::move(fields), witness, std::move(structs),
                                        pool_);
  }

  const NestedColumn::StartLeaf& start_leaf_;
  arrow::MemoryPool* pool_;
  std::vector<std::unique_ptr<NestedLeaf>> leaves_;
};

}  // namespace

NestedColumn::NestedColumn(std::vector<std::unique_ptr<NestedLeaf>> leaves,
                           std::unique_ptr<NestedPart> whole)
    : leaves_(std::move(leaves)), whole_(std::move(whole)) {}

NestedColumn::~NestedColumn() = default;

Result<std::unique_ptr<NestedColumn>> NestedColumn::Make(const NestedMatch& match,
                                                         const StartLeaf& start_leaf,
                                                         arrow::MemoryPool* pool) {
  PartMaker maker(start_leaf, pool);
  ARROW_ASSIGN_OR_RAISE(auto whole, maker.Make(match));
  return std::unique_ptr<NestedColumn>(new NestedColumn(maker.TakeLeaves(), std::move(whole)));
}

Result<int64_t> NestedColumn::RowsWithin(int64_t rows, int64_t bytes) {
  const int64_t share = bytes / std::max<int64_t>(1, std::ssize(leaves_));
  for (const auto& leaf : leaves_) {
    ARROW_ASSIGN_OR_RAISE(rows, leaf->RowsWithin(rows, share));
  }
  return rows;
}

Result<std::shared_ptr<arrow::Array>> NestedColumn::Read(int64_t rows) {
  for (const auto& leaf : leaves_) RETURN_NOT_OK(leaf->Read(rows));
  return ReadSlots(*whole_, rows);
}

}  // namespace reprise
