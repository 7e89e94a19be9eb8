#include "expressions/nested/item_finder.h"

#include "expressions/ordering.h"
#include "expressions/string_values.h"
#include "expressions/values.h"
#include "plan/item_types.h"

namespace reprise {

namespace {

template <typename T>
class NumberFinder final : public ItemFinder {
 public:
  explicit NumberFinder(const Column& values) : values_(values) {}

  Result<int64_t> Find(const NestedItems& items, int64_t row) const override {
    const T value = values_[row];
    for (int64_t item = 0; item < items.count; ++item) {
      if (items.is_null(item)) continue;
      const int64_t position = items.first + item * static_cast<int64_t>(sizeof(T));
      ARROW_ASSIGN_OR_RAISE(const T candidate, LoadNested<T>(items.bytes, position));
      if (IsEqual()(candidate, value)) return item;
    }
    return -1;
  }

 private:
  const AnyValues<T> values_;
};

class TextFinder final : public ItemFinder {
 public:
  explicit TextFinder(const Column& values) : values_(values) {}

  Result<int64_t> Find(const NestedItems& items, int64_t row) const override {
    const std::string_view value = values_[row];
    for (int64_t item = 0; item < items.count; ++item) {
      if (items.is_null(item)) continue;
      ARROW_ASSIGN_OR_RAISE(const NestedBytes candidate,
                            VariablePart(items.bytes, items.first + item * kRowWordBytes));
      const std::string_view text(reinterpret_cast<const char*>(candidate.data()),
                                  candidate.size());
      if (text == value) return item;
    }
    return -1;
  }

 private:
  const AnyStrings values_;
};

}  // namespace

Result<std::unique_ptr<ItemFinder>> ItemFinder::Make(const DataType& type, const Column& values) {
  using Made = Result<std::unique_ptr<ItemFinder>>;
  if (!CanBeFound(type)) return Status::NotImplemented("looking for ", type.ToString());
  if (type.is(TypeKind::kString) || type.is(TypeKind::kBinary)) {
    return std::make_unique<TextFinder>(values);
  }
  return VisitStorage(type, [&]<typename T>() -> Made {
    if constexpr (std::is_same_v<T, Int128Cell>) {
      return Status::NotImplemented("looking for decimals of more than 18 digits");
    } else {
      return std::make_unique<NumberFinder<T>>(values);
    }
  });
}

}  // namespace reprise
