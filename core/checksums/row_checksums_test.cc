#include "checksums/row_checksums.h"

#include <arrow/array/array_dict.h>
#include <arrow/builder.h>
#include <arrow/util/decimal.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace reprise {
namespace {

template <typename Builder, typename T>
std::shared_ptr<arrow::Array> Nullable(const std::vector<std::optional<T>>& values) {
  Builder builder;
  for (const auto& value : values) {
    EXPECT_TRUE((value ? builder.Append(*value) : builder.AppendNull()).ok());
  }
  return *builder.Finish();
}

std::shared_ptr<arrow::Array> Longs(const std::vector<std::optional<int64_t>>& values) {
  return Nullable<arrow::Int64Builder>(values);
}

std::shared_ptr<arrow::Array> Doubles(const std::vector<std::optional<double>>& values) {
  return Nullable<arrow::DoubleBuilder>(values);
}

std::shared_ptr<arrow::Array> NullableStrings(
    const std::vector<std::optional<std::string>>& values) {
  return Nullable<arrow::StringBuilder>(values);
}

Batch WithoutSchema(const std::vector<std::shared_ptr<arrow::Array>>& columns) {
  Batch batch;
  batch.columns = columns;
  batch.row_count = columns[0]->length();
  return batch;
}

Batch Selected(Batch batch, std::vector<int32_t> rows) {
  batch.selection = arrow::Buffer::FromVector(std::move(rows));
  return batch;
}

RowChecksums ChecksumsOfBatches(const std::vector<Batch>& batches) {
  RowChecksummer checksummer(static_cast<int>(batches[0].columns.size()));
  for (const Batch& batch : batches) EXPECT_TRUE(checksummer.Add(batch).ok());
  return checksummer.checksums();
}

RowChecksums ChecksumsOf(const std::vector<std::shared_ptr<arrow::Array>>& columns) {
  return ChecksumsOfBatches({WithoutSchema(columns)});
}

// More rows than a block has, with nulls.
std::vector<std::shared_ptr<arrow::Array>> ManyRows() {
  std::mt19937_64 random(7);
  std::vector<std::optional<int64_t>> longs;
  std::vector<std::optional<std::string>> strings;
  for (int i = 0; i < 5003; ++i) {
    longs.push_back(i % 11 == 3 ? std::nullopt : std::optional<int64_t>(random()));
    strings.push_back(i % 7 == 0 ? std::nullopt
                                 : std::optional(std::string(random() % 20, 'a' + i % 26)));
  }
  return {Longs(longs), NullableStrings(strings)};
}

TEST(RowChecksums, OfNothing) {
  const RowChecksums checksums = ChecksumsOf({Longs({})});
  EXPECT_EQ(checksums, (RowChecksums{0, 0, 0, {0}}));
}

TEST(RowChecksums, DoNotDependOnBatchBoundaries) {
  const auto columns = ManyRows();
  const RowChecksums whole = ChecksumsOf(columns);
  EXPECT_EQ(whole.rows, 5003);
  for (const int64_t size : {1, 3, 1023, 1024, 4999}) {
    std::vector<Batch> parts;
    for (int64_t at = 0; at < 5003; at += size) {
      parts.push_back(WithoutSchema({columns[0]->Slice(at, size), columns[1]->Slice(at, size)}));
    }
    EXPECT_EQ(ChecksumsOfBatches(parts), whole) << "batches of " << size;
  }
}

TEST(RowChecksums, CountSelectedRowsOnly) {
  const Batch batch = WithoutSchema({Longs({1, {}, 3, 4}), NullableStrings({"a", "b", {}, "d"})});
  EXPECT_EQ(ChecksumsOfBatches({Selected(batch, {1, 3})}),
            ChecksumsOf({Longs({{}, 4}), NullableStrings({"b", "d"})}));
  EXPECT_EQ(ChecksumsOfBatches({Selected(batch, {})}).rows, 0);
}

// Whether a selection is gone through with its gaps or gathered makes no difference.
TEST(RowChecksums, OfSelectionsAreThoseOfTheirRows) {
  auto columns = ManyRows();
  std::vector<std::optional<int64_t>> longs;
  std::vector<std::optional<int32_t>> codes;
  for (int64_t i = 0; i < 5003; ++i) {
    longs.push_back(i * i - 7);
    codes.push_back(static_cast<int32_t>(-i));
  }
  columns.push_back(Longs(longs));
  columns.push_back(Nullable<arrow::Int32Builder>(codes));
  for (const int step : {2, 3, 5, 6, 10, 100, 3000}) {
    for (const bool keeps : {true, false}) {
      std::vector<int32_t> rows;
      std::vector<Batch> alone;
      for (int32_t i = 0; i < 5003; ++i) {
        if ((i % step == 1) != keeps) continue;
        rows.push_back(i);
        Batch one;
        one.row_count = 1;
        for (const auto& column : columns) one.columns.push_back(column->Slice(i, 1));
        alone.push_back(one);
      }
      EXPECT_EQ(ChecksumsOfBatches({Selected(WithoutSchema(columns), rows)}),
                ChecksumsOfBatches(alone))
          << (keeps ? "one of " : "all but one of ") << step;
    }
  }
}

// What a filter leaves: of all rows, of selected ones, of another batch.
TEST(RowChecksums, OfWhatAFilterLeavesAreThoseOfItsRows) {
  const Batch whole = WithoutSchema(ManyRows());
  std::vector<int32_t> most;
  for (int32_t i = 0; i < 5003; ++i) {
    if (i % 9 != 4) most.push_back(i);
  }
  for (const Batch& input : {whole, Selected(whole, most)}) {
    for (const int step : {1, 2, 5, 50, 6000}) {
      for (const bool keeps : {true, false}) {
        std::vector<int32_t> left;
        for (int64_t i = 0; i < input.selected_count(); ++i) {
          const int32_t row = input.has_selection() ? input.selected()[i] : static_cast<int32_t>(i);
          if ((row % step == 0) == keeps) left.push_back(row);
        }
        const Batch output = Selected(whole, left);
        RowChecksummer below(2);
        below.KeepLast();
        RowChecksummer above(2);
        for (int i = 0; i < 3; ++i) {
          ASSERT_TRUE(below.Add(input).ok());
          ASSERT_TRUE(above.AddFiltered(output, &below).ok());
        }
        EXPECT_EQ(above.checksums(), ChecksumsOfBatches({output, output, output}))
            << left.size() << " rows left";
      }
    }
  }
}

TEST(RowChecksums, OfOtherArraysThanThoseBelowAreTheirOwn) {
  RowChecksummer below(1);
  below.KeepLast();
  RowChecksummer above(1);
  ASSERT_TRUE(above.AddFiltered(WithoutSchema({Longs({1})}), &below).ok());
  for (int64_t i = 0; i < 100; ++i) {
    // Gone by the time the next is made, perhaps in its place.
    ASSERT_TRUE(below.Add(WithoutSchema({Longs({i})})).ok());
    ASSERT_TRUE(above.AddFiltered(WithoutSchema({Longs({i + 1})}), &below).ok());
  }
  EXPECT_EQ(below.checksums().rows, 100);
  RowChecksummer expected(1);
  ASSERT_TRUE(expected.Add(WithoutSchema({Longs({1})})).ok());
  for (int64_t i = 0; i < 100; ++i) ASSERT_TRUE(expected.Add(WithoutSchema({Longs({i + 1})})).ok());
  EXPECT_EQ(above.checksums(), expected.checksums());
}

TEST(RowChecksums, TellOrderFromValues) {
  const RowChecksums checksums = ChecksumsOf({Longs({1, 2, 3}), Longs({4, 5, 6})});
  const RowChecksums reordered = ChecksumsOf({Longs({3, 1, 2}), Longs({6, 4, 5})});
  EXPECT_EQ(reordered.unordered, checksums.unordered);
  EXPECT_EQ(reordered.columns, checksums.columns);
  EXPECT_NE(reordered.ordered, checksums.ordered);
  const RowChecksums paired_otherwise = ChecksumsOf({Longs({1, 2, 3}), Longs({5, 4, 6})});
  EXPECT_EQ(paired_otherwise.columns, checksums.columns);
  EXPECT_NE(paired_otherwise.unordered, checksums.unordered);
}

TEST(RowChecksums, NameTheColumnThatDiffers) {
  const RowChecksums checksums = ChecksumsOf({Longs({1, 2}), NullableStrings({"x", "y"})});
  const RowChecksums other = ChecksumsOf({Longs({1, 2}), NullableStrings({"x", "z"})});
  EXPECT_EQ(other.columns[0], checksums.columns[0]);
  EXPECT_NE(other.columns[1], checksums.columns[1]);
  EXPECT_NE(other.unordered, checksums.unordered);
}

TEST(RowChecksums, TellColumnsApart) {
  EXPECT_NE(ChecksumsOf({Longs({1}), Longs({2})}).unordered,
            ChecksumsOf({Longs({2}), Longs({1})}).unordered);
  EXPECT_NE(ChecksumsOf({Longs({0}), Longs({{}})}).unordered,
            ChecksumsOf({Longs({{}}), Longs({0})}).unordered);
}

// Small numbers in few columns are what data is mostly made of.
TEST(RowChecksums, SmallRowsDoNotCollide) {
  std::vector<uint64_t> seen;
  for (int64_t a = 0; a < 40; ++a) {
    for (int64_t b = 0; b < 40; ++b) {
      for (int64_t c = -5; c < 5; ++c) {
        seen.push_back(ChecksumsOf({Longs({a}), Longs({b}), Longs({c})}).unordered);
      }
    }
  }
  std::ranges::sort(seen);
  EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
}

// Short mantissas end in zeros.
TEST(RowChecksums, RowsOfRatingsDoNotCollide) {
  const auto rating = [](int64_t i) { return Doubles({static_cast<double>(i) * 0.5}); };
  std::vector<uint64_t> seen;
  for (int64_t i = 0; i < 11 * 11 * 11 * 11; ++i) {
    seen.push_back(
        ChecksumsOf({rating(i % 11), rating(i / 11 % 11), rating(i / 121 % 11), rating(i / 1331)})
            .unordered);
  }
  std::ranges::sort(seen);
  EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
  EXPECT_NE(ChecksumsOf({Doubles({2.0, 0.0}), Doubles({0.0, 2.0}), Doubles({1.0, 3.0})}).unordered,
            ChecksumsOf({Doubles({0.0, 2.0}), Doubles({2.0, 0.0}), Doubles({1.0, 3.0})}).unordered);
}

TEST(RowChecksums, PartsAddUp) {
  const auto columns = ManyRows();
  const RowChecksums whole = ChecksumsOf(columns);
  const RowChecksums first = ChecksumsOf({columns[0]->Slice(0, 700), columns[1]->Slice(0, 700)});
  const RowChecksums rest = ChecksumsOf({columns[0]->Slice(700), columns[1]->Slice(700)});
  EXPECT_EQ(first.unordered + rest.unordered, whole.unordered);
  EXPECT_EQ(first.columns[1] + rest.columns[1], whole.columns[1]);
}

TEST(RowChecksums, DictionariesCountAsTheirValues) {
  const auto plain = NullableStrings({"a", {}, "bb", "a"});
  const auto codes = Nullable<arrow::Int32Builder, int32_t>({1, {}, 0, 1});
  const std::shared_ptr<arrow::Array> encoded =
      *arrow::DictionaryArray::FromArrays(codes, NullableStrings({"bb", "a"}));
  EXPECT_EQ(ChecksumsOf({encoded}), ChecksumsOf({plain}));
  const auto slice = encoded->Slice(2, 2);
  EXPECT_EQ(ChecksumsOfBatches({WithoutSchema({encoded}), WithoutSchema({slice})}),
            ChecksumsOfBatches({WithoutSchema({plain}), WithoutSchema({plain->Slice(2, 2)})}));
}

// An operator that computes selected rows only leaves whatever was there in the others.
TEST(RowChecksums, WhatIsNotSelectedOfADictionaryMayBeNoPlaceInIt) {
  for (const int32_t size : {3, 20, 40, 1000}) {
    std::vector<std::optional<std::string>> words;
    for (int32_t i = 0; i < size; ++i) words.push_back("word " + std::to_string(i));
    std::vector<int32_t> rows;
    std::vector<int32_t> codes;
    std::vector<std::optional<std::string>> plain;
    for (int32_t i = 0; i < 3000; ++i) {
      codes.push_back(i % 10 == 3 ? i * 701'003 - 1'000'000'000 : i * 7 % size);
      if (i % 10 == 3) continue;
      rows.push_back(i);
      plain.push_back(words[codes.back()]);
    }
    // Arrow itself would refuse such places.
    const auto data = arrow::ArrayData::Make(arrow::dictionary(arrow::int32(), arrow::utf8()), 3000,
                                             {nullptr, arrow::Buffer::FromVector(codes)}, 0);
    data->dictionary = NullableStrings(words)->data();
    EXPECT_EQ(ChecksumsOfBatches({Selected(WithoutSchema({arrow::MakeArray(data)}), rows)}),
              ChecksumsOf({NullableStrings(plain)}))
        << size << " words";
  }
}

TEST(RowChecksums, ADictionaryLargerThanItsBatchIsReadByRow) {
  std::vector<std::optional<std::string>> words;
  for (int i = 0; i < 3000; ++i) words.push_back("word " + std::to_string(i));
  const auto codes = Nullable<arrow::Int32Builder, int32_t>({2999, 17});
  const std::shared_ptr<arrow::Array> encoded =
      *arrow::DictionaryArray::FromArrays(codes, NullableStrings(words));
  EXPECT_EQ(ChecksumsOf({encoded}), ChecksumsOf({NullableStrings({"word 2999", "word 17"})}));
}

TEST(RowChecksums, NaNsAreOneValueAndZerosTwo) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(ChecksumsOf({Doubles({nan})}), ChecksumsOf({Doubles({-nan})}));
  EXPECT_NE(ChecksumsOf({Doubles({0.0})}), ChecksumsOf({Doubles({-0.0})}));
}

TEST(RowChecksums, DecimalsOfFewDigitsAreTheSameInBothWidths) {
  arrow::Decimal64Builder narrow(arrow::decimal64(15, 2));
  arrow::Decimal128Builder wide(arrow::decimal128(15, 2));
  for (const int64_t value : {-125L, 0L, 999999999999999L}) {
    ASSERT_TRUE(narrow.Append(arrow::Decimal64(value)).ok());
    ASSERT_TRUE(wide.Append(arrow::Decimal128(value)).ok());
  }
  EXPECT_EQ(ChecksumsOf({*narrow.Finish()}), ChecksumsOf({*wide.Finish()}));
}

TEST(RowChecksums, LongDecimalsDifferInBothWords) {
  const auto one = [](const char* text) {
    arrow::Decimal128Builder builder(arrow::decimal128(38, 0));
    EXPECT_TRUE(builder.Append(*arrow::Decimal128::FromString(text)).ok());
    return ChecksumsOf({*builder.Finish()}).unordered;
  };
  EXPECT_NE(one("1"), one("18446744073709551617"));  // 2^64 more
  EXPECT_NE(one("0"), one("18446744073709551616"));
}

TEST(RowChecksums, RefuseWhatSparkHasNot) {
  RowChecksummer checksummer(1);
  arrow::Time64Builder times(arrow::time64(arrow::TimeUnit::MICRO), arrow::default_memory_pool());
  ASSERT_TRUE(times.Append(1).ok());
  const Status status = checksummer.Add(WithoutSchema({*times.Finish()}));
  EXPECT_TRUE(status.IsTypeError());
  EXPECT_EQ(status.message(), "no checksums of a column of Arrow type time64[us]");
}

}  // namespace
}  // namespace reprise
