// What the random tests of joins share: random rows of every type of key, and a join that compares
// all pairs.
#pragma once

#include <arrow/builder.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "operators/gather.h"
#include "operators/join/join_testing.h"

namespace reprise::testing {

// Some values of a type; those of one class are equal to Spark.
struct KeyPool {
  std::string type;
  std::shared_ptr<arrow::Array> values;
  std::vector<int> classes;
};

inline KeyPool Plain(const std::string& type, const std::string& json) {
  KeyPool pool{type, Values(type, json), {}};
  for (int i = 0; i < pool.values->length(); ++i) pool.classes.push_back(i);
  return pool;
}

template <typename Builder, typename T>
KeyPool Floating(const std::string& type) {
  Builder builder;
  const T nan = std::numeric_limits<T>::quiet_NaN();
  EXPECT_TRUE(builder
                  .AppendValues(std::vector<T>{nan, -nan, T{0}, -T{0}, T{1.5},
                                               std::numeric_limits<T>::infinity()})
                  .ok());
  return {type, *builder.Finish(), {0, 0, 1, 1, 2, 3}};
}

inline std::vector<KeyPool> KeyPools() {
  return {
      Plain("boolean", "[true, false]"),
      Plain("byte", "[-128, 0, 5, 127]"),
      Plain("short", "[-32768, 0, 7, 32767]"),
      Plain("integer", "[-2147483648, -1, 0, 1, 2147483647]"),
      Plain("integer", "[100, 101, 102, 103, 104, 110]"),
      Plain("long", "[-9223372036854775808, -1, 0, 4294967296, 9223372036854775807]"),
      Plain("date", "[-719162, 0, 18000]"),
      Plain("decimal(15,2)", "[\"-1.00\", \"0.00\", \"9999999999999.99\"]"),
      Plain("decimal(38,0)",
            "[\"-1\", \"0\", \"1\", \"18446744073709551616\", "
            "\"99999999999999999999999999999999999999\"]"),
      Plain("string", "[\"\", \"a\", \"b\", \"a longer string than that\"]"),
      Plain("binary", "[\"\", \"a\", \"b\"]"),
      Floating<arrow::FloatBuilder, float>("float"),
      Floating<arrow::DoubleBuilder, double>("double"),
  };
}

struct Side {
  std::vector<Field> fields;
  std::vector<Batch> batches;
  std::vector<std::vector<int>> keys;  // by row: the class of each key, -1 for null
  std::vector<int> values;             // by row
};

using Random = std::mt19937;

inline int Below(Random* random, int bound) {
  return static_cast<int>((*random)() % static_cast<uint32_t>(bound));
}

inline std::shared_ptr<arrow::Array> EncodedAs(const arrow::Array& plain) {
  const auto& strings = static_cast<const arrow::StringArray&>(plain);
  arrow::StringDictionary32Builder builder;
  for (int64_t i = 0; i < plain.length(); ++i) {
    EXPECT_TRUE(
        (strings.IsNull(i) ? builder.AppendNull() : builder.Append(strings.GetView(i))).ok());
  }
  return *builder.Finish();
}

// Random rows of the keys and a number, in batches of which some have a selection or are encoded.
inline Side RandomSide(const std::vector<KeyPool>& pools, int rows_max, const std::string& value,
                       Random* random) {
  Side side;
  for (size_t i = 0; i < pools.size(); ++i) {
    side.fields.push_back({fmt::format("k{}", i), ParseDataType(pools[i].type), true});
  }
  side.fields.push_back({value, ParseDataType("integer"), true});
  const int batch_count = Below(random, 4);
  for (int b = 0; b < batch_count; ++b) {
    const int rows = Below(random, rows_max + 1);
    const bool has_nulls = Below(random, 3) > 0;
    std::vector<std::vector<int32_t>> picks(pools.size());
    std::vector<int32_t> numbers, selection;
    for (int row = 0; row < rows; ++row) {
      numbers.push_back(Below(random, 10));
      for (size_t i = 0; i < pools.size(); ++i) {
        const bool is_null = has_nulls && Below(random, 5) == 0;
        picks[i].push_back(is_null ? -1
                                   : Below(random, static_cast<int>(pools[i].values->length())));
      }
      if (Below(random, 3) > 0) selection.push_back(row);
    }
    arrow::ArrayVector columns;
    for (size_t i = 0; i < pools.size(); ++i) {
      auto column = Good(
          GatherRows(*pools[i].values, picks[i], Missing::kNull, arrow::default_memory_pool()));
      if (pools[i].type == "string" && Below(random, 2) == 0) column = EncodedAs(*column);
      columns.push_back(std::move(column));
    }
    arrow::Int32Builder builder;
    EXPECT_TRUE(builder.AppendValues(numbers).ok());
    columns.push_back(*builder.Finish());
    Batch batch = BatchOfArrays(side.fields, std::move(columns));
    batch.row_count = rows;
    const bool selected = Below(random, 2) == 0;
    for (int row = 0; row < rows; ++row) {
      if (selected && !std::ranges::binary_search(selection, row)) continue;
      std::vector<int> classes;
      for (size_t i = 0; i < pools.size(); ++i) {
        classes.push_back(picks[i][row] < 0 ? -1 : pools[i].classes[picks[i][row]]);
      }
      side.keys.push_back(std::move(classes));
      side.values.push_back(numbers[row]);
    }
    side.batches.push_back(selected ? WithSelection(batch, selection) : batch);
  }
  return side;
}

inline bool Matches(const Side& left, size_t l, const Side& right, size_t r, bool condition) {
  for (size_t i = 0; i < left.keys[l].size(); ++i) {
    if (left.keys[l][i] < 0 || left.keys[l][i] != right.keys[r][i]) return false;
  }
  return !condition || left.values[l] < right.values[r];
}

// Rows as (number of the left row's value or -1, of the right one's, exists), sorted.
using Rows = std::vector<std::vector<int>>;

inline Rows Expected(const std::string& type, const Side& left, const Side& right, bool condition) {
  Rows rows;
  std::vector<bool> right_matched(right.values.size());
  for (size_t l = 0; l < left.values.size(); ++l) {
    bool matched = false;
    for (size_t r = 0; r < right.values.size(); ++r) {
      if (!Matches(left, l, right, r, condition)) continue;
      matched = true;
      right_matched[r] = true;
      if (type == "inner" || type == "left" || type == "right" || type == "full") {
        rows.push_back({left.values[l], right.values[r]});
      }
    }
    if (type == "existence") rows.push_back({left.values[l], matched});
    if (type == (matched ? "semi" : "anti")) rows.push_back({left.values[l]});
    if (!matched && (type == "left" || type == "full")) rows.push_back({left.values[l], -1});
  }
  for (size_t r = 0; r < right.values.size(); ++r) {
    if (!right_matched[r] && (type == "right" || type == "full")) {
      rows.push_back({-1, right.values[r]});
    }
  }
  std::ranges::sort(rows);
  return rows;
}

inline Rows Found(const arrow::RecordBatch& batch, int left_value, int right_value) {
  Rows rows(static_cast<size_t>(batch.num_rows()));
  for (int column : {left_value, right_value}) {
    if (column < 0) continue;
    for (int64_t row = 0; row < batch.num_rows(); ++row) {
      const auto& array = *batch.column(column);
      int value = -1;
      if (array.type_id() == arrow::Type::BOOL) {
        value = static_cast<const arrow::BooleanArray&>(array).Value(row);
      } else if (array.IsValid(row)) {
        value = static_cast<const arrow::Int32Array&>(array).Value(row);
      }
      rows[static_cast<size_t>(row)].push_back(value);
    }
  }
  std::ranges::sort(rows);
  return rows;
}

}  // namespace reprise::testing
