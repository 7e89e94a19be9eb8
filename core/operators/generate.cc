// Purpose: give a row for every item of a collection.
// Input:   one, any columns.  Output: some of them, repeated; then the item's number, where it is
//          asked for, and the values that the item is made of.
// Example: elements of a over (k = 1, a = [5, null]), (k = 2, a = []) give (1, 5), (1, null); with
// "outer" (2, null) too (Spark's GenerateExec of Explode, PosExplode and Inline).
//
// Collections come as the bytes of Spark's rows. They are read as rows are given, so that no more
// of them become values at once than a batch may have.
#include "operators/generate.h"

#include <arrow/array/array_binary.h>
#include <arrow/builder.h>

#include "expressions/expression.h"
#include "operators/gather.h"
#include "operators/spec_members.h"
#include "plan/value_form.h"
#include "transitions/item_column.h"

namespace reprise {

namespace {

enum class Gives { kElements, kEntries, kFields };

struct GivesName {
  std::string_view name;
  Gives gives;
};

constexpr GivesName kGivesNames[] = {
    {"elements", Gives::kElements}, {"entries", Gives::kEntries}, {"fields", Gives::kFields}};

struct GenerateSpec {
  std::vector<int> columns;
  std::vector<int> reads;  // how often the collection reads each of the input's
  std::unique_ptr<Expression> collection;
  Gives gives = Gives::kElements;
  bool has_position = false;
  bool is_outer = false;
};

/// The items of one row's collection.
struct Items {
  NestedItems elements;  // or keys
  NestedItems values;    // of a map

  int64_t count() const { return elements.count; }
  /// Of all items, no less than those of their values.
  int64_t bytes() const { return std::ssize(elements.bytes) + std::ssize(values.bytes); }
};

/// Columns of what items are made of.
class ItemColumns {
 public:
  static Result<ItemColumns> Make(Gives gives, std::span<const Field> fields,
                                  arrow::MemoryPool* pool) {
    ItemColumns made(gives);
    for (const Field& field : fields) {
      ARROW_ASSIGN_OR_RAISE(auto column, ItemColumn::Make(field.type, pool));
      made.columns_.push_back(std::move(column));
    }
    return made;
  }

  Status Append(const Items& items, int64_t item) {
    if (gives_ == Gives::kElements) return AppendElement(0, items.elements, item);
    if (gives_ == Gives::kEntries) {
      RETURN_NOT_OK(AppendElement(0, items.elements, item));
      return AppendElement(1, items.values, item);
    }
    if (items.elements.is_null(item)) return AppendNulls();
    ARROW_ASSIGN_OR_RAISE(const NestedItems fields, FieldsAt(items, item));
    for (int64_t i = 0; i < fields.count; ++i) {
      RETURN_NOT_OK(columns_[static_cast<size_t>(i)].Append(fields, i, kRowWordBytes));
    }
    return Status::OK();
  }

  /// Whether the items of a row can be appended at once.
  bool takes_all() const { return gives_ != Gives::kFields; }

  Status AppendAll(const Items& items) {
    RETURN_NOT_OK(columns_[0].AppendAll(items.elements));
    return gives_ == Gives::kEntries ? columns_[1].AppendAll(items.values) : Status::OK();
  }

  Status AppendNulls() {
    for (ItemColumn& column : columns_) RETURN_NOT_OK(column.AppendNull());
    return Status::OK();
  }

  /// The bytes of an item's values besides those that all have.
  Result<int64_t> VariableBytes(const Items& items, int64_t item) const {
    if (gives_ == Gives::kElements) return BytesOfElement(0, items.elements, item);
    if (gives_ == Gives::kEntries) {
      return BytesOfElement(0, items.elements, item) + BytesOfElement(1, items.values, item);
    }
    if (items.elements.is_null(item)) return 0;
    ARROW_ASSIGN_OR_RAISE(const NestedItems fields, FieldsAt(items, item));
    int64_t bytes = 0;
    for (int64_t i = 0; i < fields.count; ++i) {
      bytes += columns_[static_cast<size_t>(i)].VariableBytes(fields, i, kRowWordBytes);
    }
    return bytes;
  }

  Status FinishInto(arrow::ArrayVector* output) {
    for (ItemColumn& column : columns_) {
      ARROW_ASSIGN_OR_RAISE(auto array, column.Finish());
      output->push_back(std::move(array));
    }
    return Status::OK();
  }

 private:
  explicit ItemColumns(Gives gives) : gives_(gives) {}

  Status AppendElement(size_t column, const NestedItems& items, int64_t item) {
    return columns_[column].Append(items, item, columns_[column].element_bytes());
  }

  int64_t BytesOfElement(size_t column, const NestedItems& items, int64_t item) const {
    return columns_[column].VariableBytes(items, item, columns_[column].element_bytes());
  }

  Result<NestedItems> FieldsAt(const Items& items, int64_t item) const {
    ARROW_ASSIGN_OR_RAISE(
        const NestedBytes row,
        VariablePart(items.elements.bytes, items.elements.first + item * kRowWordBytes));
    return FieldsOf(row, std::ssize(columns_));
  }

  Gives gives_;
  std::vector<ItemColumn> columns_;
};

class Generate final : public Operator {
 public:
  Generate(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
           const TaskContext& context, GenerateSpec generate, ItemColumns items)
      : Operator(std::move(spec), std::move(inputs), context),
        generate_(std::move(generate)),
        items_(std::move(items)) {}

 private:
  bool hands_on(int /*index*/, int column) const override {
    return generate_.reads[static_cast<size_t>(column)] == 0;
  }

  Result<std::optional<Batch>> NextBatch() override {
    while (collections_ == nullptr) {
      RETURN_NOT_OK(due_.status());
      ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull());
      if (!batch.has_value()) return std::nullopt;
      RETURN_NOT_OK(Begin(*batch));
    }
    ARROW_ASSIGN_OR_RAISE(Batch output, NextPiece());
    if (row_ == collections_->length()) collections_.reset();
    return output;
  }

  Status Begin(const Batch& batch) {
    ARROW_ASSIGN_OR_RAISE(collections_, due_.UpTo(batch, [this](const Batch& rows) {
      EvalInput input(rows, pool());
      return EvaluateToArray(*generate_.collection, input);
    }));
    EvalInput input(batch, pool());
    repeated_.clear();
    for (const int column : generate_.columns) {
      ARROW_ASSIGN_OR_RAISE(auto array, input.column(column));
      repeated_.push_back(std::move(array));
    }
    errors_ = ErrorsByPlace(batch);
    row_ = 0;
    return StartRow();
  }

  /// The items of row_.
  Status StartRow() {
    item_ = 0;
    items_of_row_ = {};
    if (row_ == collections_->length() || collections_->IsNull(row_)) return Status::OK();
    const NestedBytes bytes =
        ToNestedBytes(static_cast<const arrow::BinaryArray&>(*collections_).GetView(row_));
    if (generate_.gives != Gives::kEntries) {
      return ElementsOf(bytes).Value(&items_of_row_.elements);
    }
    ARROW_ASSIGN_OR_RAISE(const NestedMap entries, EntriesOf(bytes));
    items_of_row_ = {entries.keys, entries.values};
    return Status::OK();
  }

  /// The next rows, as many as a batch may have.
  Result<Batch> NextPiece() {
    const BatchBounds most = bounds();
    const RowWidths widths(repeated_);
    parents_.clear();
    positions_.clear();
    int64_t bytes = 0;
    while (row_ < collections_->length()) {
      const int64_t count = items_of_row_.count();
      const int64_t added_at_most = count * widths[row_] + items_of_row_.bytes();
      if (item_ == 0 && count > 0 && items_.takes_all() &&
          std::ssize(parents_) + count <= most.rows && bytes + added_at_most <= most.bytes) {
        bytes += added_at_most;
        RETURN_NOT_OK(AppendAll(count));
        ++row_;
        RETURN_NOT_OK(StartRow());
        continue;
      }
      const bool is_empty = count == 0 && generate_.is_outer;
      for (; item_ < count || is_empty; ++item_) {
        int64_t added = widths[row_];
        if (!is_empty) {
          ARROW_ASSIGN_OR_RAISE(const int64_t variable, items_.VariableBytes(items_of_row_, item_));
          added += variable;
        }
        const auto rows = std::ssize(parents_);
        if (rows > 0 && (rows == most.rows || bytes + added > most.bytes)) return Piece();
        bytes += added;
        RETURN_NOT_OK(AppendItem(is_empty));
        if (is_empty) break;
      }
      ++row_;
      RETURN_NOT_OK(StartRow());
    }
    return Piece();
  }

  /// The whole of a row's collection.
  Status AppendAll(int64_t count) {
    parents_.insert(parents_.end(), static_cast<size_t>(count), static_cast<int32_t>(row_));
    if (generate_.has_position) {
      for (int64_t i = 0; i < count; ++i) positions_.push_back(static_cast<int32_t>(i));
    }
    return items_.AppendAll(items_of_row_);
  }

  Status AppendItem(bool is_empty) {
    parents_.push_back(static_cast<int32_t>(row_));
    if (generate_.has_position) positions_.push_back(is_empty ? -1 : static_cast<int32_t>(item_));
    return is_empty ? items_.AppendNulls() : items_.Append(items_of_row_, item_);
  }

  Result<Batch> Piece() {
    Batch output{output_schema(), {}, std::ssize(parents_), nullptr};
    for (const auto& column : repeated_) {
      ARROW_ASSIGN_OR_RAISE(auto array, GatherRows(*column, parents_, Missing::kUndefined, pool()));
      output.columns.push_back(std::move(array));
    }
    if (generate_.has_position) {
      arrow::Int32Builder positions(pool());
      RETURN_NOT_OK(positions.Reserve(std::ssize(positions_)));
      for (const int32_t position : positions_) {
        position < 0 ? positions.UnsafeAppendNull() : positions.UnsafeAppend(position);
      }
      ARROW_ASSIGN_OR_RAISE(auto array, positions.Finish());
      output.columns.push_back(std::move(array));
    }
    RETURN_NOT_OK(items_.FinishInto(&output.columns));
    output.errors = ToBatchErrors(ErrorsOfColumns(ErrorsAt(errors_, parents_), [this](int column) {
      const auto found = std::ranges::find(generate_.columns, column);
      return found == generate_.columns.end() ? -1
                                              : static_cast<int>(found - generate_.columns.begin());
    }));
    return output;
  }

  const GenerateSpec generate_;
  ItemColumns items_;
  DueError due_;
  std::shared_ptr<arrow::Array> collections_;  // of a batch; null: the next one is wanted
  arrow::ArrayVector repeated_;
  ValueErrors errors_;
  int64_t row_ = 0;  // whose items are given next
  int64_t item_ = 0;
  Items items_of_row_;
  std::vector<int32_t> parents_;    // the row of each row that is given
  std::vector<int32_t> positions_;  // its item; -1: none
};

Result<Gives> GivesMember(const nlohmann::json& arguments) {
  ARROW_ASSIGN_OR_RAISE(const std::string name, StringMember(arguments, "gives"));
  const auto* found = std::ranges::find(kGivesNames, name, &GivesName::name);
  if (found == std::end(kGivesNames)) {
    return Status::Invalid("\"gives\" is \"", name, "\", expected elements, entries or fields");
  }
  return found->gives;
}

Result<std::vector<int>> ColumnsMember(const OperatorSpec& spec) {
  const std::vector<Field>& input = spec.inputs[0];
  ARROW_ASSIGN_OR_RAISE(std::vector<int> columns,
                        ColumnNumbersMember(spec.arguments, "columns", input.size()));
  if (columns.size() > spec.output.size()) {
    return Status::Invalid("\"columns\" has ", columns.size(), " columns, the output ",
                           spec.output.size());
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    const DataType& type = input[static_cast<size_t>(columns[i])].type;
    if (HaveSameForm(type, spec.output[i].type)) continue;
    return Status::Invalid("output column ", i, " is ", spec.output[i].type.ToString(),
                           ", the input's column is ", type.ToString());
  }
  return columns;
}

/// The types of what an item is made of.
Result<std::vector<NestedType>> PartsOf(const GenerateSpec& generate) {
  const DataType& type = generate.collection->type();
  const auto nested = ParseNestedType(type);
  const auto wanted =
      generate.gives == Gives::kEntries ? NestedType::Form::kMap : NestedType::Form::kArray;
  if (!nested || nested->form != wanted) {
    return Status::NotImplemented("\"collection\" is ", type.ToString());
  }
  if (generate.gives != Gives::kFields) return nested->parts;
  if (nested->parts[0].form != NestedType::Form::kStruct) {
    return Status::NotImplemented("\"collection\" is ", type.ToString(), ", which has no fields");
  }
  return nested->parts[0].parts;
}

Status CheckItems(std::span<const Field> items, const std::vector<NestedType>& parts) {
  if (items.size() != parts.size()) {
    return Status::Invalid("an item has ", parts.size(), " values, and there are ", items.size(),
                           " columns for them");
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (HoldsPlainly(parts[i], items[i].type)) continue;
    return Status::Invalid("column ", items[i].name, " is ", items[i].type.ToString(),
                           ", the collection has another type");
  }
  return Status::OK();
}

}  // namespace

Result<std::unique_ptr<Operator>> MakeGenerate(OperatorSpec spec,
                                               std::vector<std::unique_ptr<Operator>> inputs,
                                               const TaskContext& context) {
  GenerateSpec generate;
  ARROW_ASSIGN_OR_RAISE(generate.columns, ColumnsMember(spec));
  ARROW_ASSIGN_OR_RAISE(const ExpressionSpec collection,
                        ExpressionMember(spec.arguments, "collection"));
  generate.reads.assign(spec.inputs[0].size(), 0);
  CountColumns(collection, &generate.reads);
  ARROW_ASSIGN_OR_RAISE(generate.collection, MakeExpression(collection, spec.inputs[0]));
  ARROW_ASSIGN_OR_RAISE(generate.gives, GivesMember(spec.arguments));
  ARROW_ASSIGN_OR_RAISE(generate.has_position, BooleanMember(spec.arguments, "position"));
  ARROW_ASSIGN_OR_RAISE(generate.is_outer, BooleanMember(spec.arguments, "outer"));
  ARROW_ASSIGN_OR_RAISE(const auto parts, PartsOf(generate));
  const size_t first = generate.columns.size() + (generate.has_position ? 1 : 0);
  if (first > spec.output.size() ||
      (generate.has_position && !spec.output[first - 1].type.is(TypeKind::kInteger))) {
    return Status::Invalid("the output has no column of type int for the item's number");
  }
  const std::span<const Field> items = std::span(spec.output).subspan(first);
  RETURN_NOT_OK(CheckItems(items, parts));
  ARROW_ASSIGN_OR_RAISE(auto columns, ItemColumns::Make(generate.gives, items, context.pool));
  return std::make_unique<Generate>(std::move(spec), std::move(inputs), context,
                                    std::move(generate), std::move(columns));
}

}  // namespace reprise
