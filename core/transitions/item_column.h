// Makes columns of what stands in arrays, maps and structs.
#pragma once

#include <arrow/builder.h>

#include <memory>

#include "base/status.h"
#include "plan/nested_bytes.h"

namespace reprise {

/// Appends the value whose fixed part, or reference, is at `position` of `bytes`, and whose form is
/// NestedType::Form::kPlain, to a builder of its type. Status::Invalid where it does not keep
/// within its bytes.
Status AppendPlainItem(const NestedType& type, NestedBytes bytes, int64_t position,
                       arrow::ArrayBuilder* builder);

/// Appends all elements of an array in the same way.
Status AppendPlainElements(const NestedType& type, const NestedItems& elements,
                           arrow::ArrayBuilder* builder);

/// A column of items of nested values, in the type in which columns of theirs travel (ToArrow):
/// what is nested itself stays bytes.
class ItemColumn {
 public:
  /// Status::NotImplemented where the type has no form that is known.
  static Result<ItemColumn> Make(const DataType& type, arrow::MemoryPool* pool);

  /// Bytes between the fixed parts of an array's elements.
  int64_t element_bytes() const { return type_.element_bytes; }

  /// Appends an item whose fixed parts are `width` bytes apart. Status::Invalid where it does not
  /// keep within its bytes.
  Status Append(const NestedItems& items, int64_t item, int64_t width);
  /// The same of all elements of an array.
  Status AppendAll(const NestedItems& elements) {
    return AppendPlainElements(type_, elements, builder_.get());
  }
  Status AppendNull() { return builder_->AppendNull(); }

  /// The bytes of an item's value besides those that all have.
  int64_t VariableBytes(const NestedItems& items, int64_t item, int64_t width) const;

  Result<std::shared_ptr<arrow::Array>> Finish() { return builder_->Finish(); }

 private:
  ItemColumn(NestedType type, std::unique_ptr<arrow::ArrayBuilder> builder)
      : type_(std::move(type)), builder_(std::move(builder)) {}

  NestedType type_;
  std::unique_ptr<arrow::ArrayBuilder> builder_;
};

}  // namespace reprise
