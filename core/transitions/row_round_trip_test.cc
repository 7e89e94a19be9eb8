// Random batches to rows and back.
#include <arrow/array/array_dict.h>
#include <arrow/array/builder_binary.h>
#include <arrow/array/builder_decimal.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/array/util.h>

#include <random>

#include "plan/unsafe_row.h"
#include "transitions/row_decoder.h"
#include "transitions/row_encoder.h"
#include "transitions/spark_rows.h"

namespace reprise {
namespace {

const char* const kTypes[] = {"void",          "boolean",        "byte",         "short",
                              "integer",       "long",           "float",        "double",
                              "decimal(15,2)", "decimal(18,0)",  "string",       "binary",
                              "decimal(19,0)", "decimal(38,18)", "date",         "timestamp",
                              "timestamp_ntz", "interval",       "interval day", "interval year",
                              "time(6)",       "variant"};

class RandomColumns {
 public:
  explicit RandomColumns(uint64_t seed) : random_(seed) {}

  int64_t Below(int64_t bound) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(bound));
  }

  std::shared_ptr<arrow::Array> Column(const DataType& type, int64_t rows) {
    if (type.is(TypeKind::kNull)) return arrow::MakeArrayOfNull(arrow::null(), rows).ValueOrDie();
    null_percent_ = Below(3) * 40;
    if (IsCalendarInterval(type)) return Intervals(rows);
    if (type.is(TypeKind::kOther)) return Column(StoredType(type), rows);
    if (type.is(TypeKind::kString) && Below(2) == 0) return Dictionary(rows);
    if (type.is(TypeKind::kString)) return Bytes<arrow::StringBuilder>(rows);
    if (type.is(TypeKind::kBinary)) return Bytes<arrow::BinaryBuilder>(rows);
    if (type.is(TypeKind::kDecimal) && !type.is_short_decimal()) return LongDecimals(type, rows);
    return FixedWidth(type, rows);
  }

 private:
  bool Null() { return Below(100) < null_percent_; }

  template <typename Builder>
  std::shared_ptr<arrow::Array> Bytes(int64_t rows) {
    Builder builder;
    for (int64_t i = 0; i < rows; ++i) {
      std::string value(static_cast<size_t>(Below(Below(2) ? 12 : 60)), '\0');
      for (char& c : value) c = static_cast<char>(random_() % 128);
      EXPECT_TRUE((Null() ? builder.AppendNull() : builder.Append(value)).ok());
    }
    return builder.Finish().ValueOrDie();
  }

  std::shared_ptr<arrow::Array> Intervals(int64_t rows) {
    arrow::BinaryBuilder builder;
    for (int64_t i = 0; i < rows; ++i) {
      const uint64_t words[] = {random_(), random_()};
      static_assert(sizeof(words) == kIntervalBytes);
      const std::string_view value(reinterpret_cast<const char*>(words), sizeof(words));
      EXPECT_TRUE((Null() ? builder.AppendNull() : builder.Append(value)).ok());
    }
    return builder.Finish().ValueOrDie();
  }

  std::shared_ptr<arrow::Array> Dictionary(int64_t rows) {
    arrow::Int32Builder indices;
    for (int64_t i = 0; i < rows; ++i) {
      EXPECT_TRUE(
          (Null() ? indices.AppendNull() : indices.Append(static_cast<int32_t>(Below(20)))).ok());
    }
    const int64_t percent = std::exchange(null_percent_, 0);
    const auto values = Bytes<arrow::StringBuilder>(20);
    null_percent_ = percent;
    return std::make_shared<arrow::DictionaryArray>(
        arrow::dictionary(arrow::int32(), arrow::utf8()), indices.Finish().ValueOrDie(), values);
  }

  std::shared_ptr<arrow::Array> LongDecimals(const DataType& type, int64_t rows) {
    arrow::Decimal128Builder builder(ToArrow(type).ValueOrDie());
    for (int64_t i = 0; i < rows; ++i) {
      // Of all sizes, both signs, and the edges of a byte.
      arrow::Decimal128 value(static_cast<int64_t>(random_()), random_());
      value >>= static_cast<uint32_t>(Below(127));
      if (Below(4) == 0) value = arrow::Decimal128(int64_t{1} << Below(63)) - Below(2);
      if (Below(2)) value = arrow::Decimal128(0) - value;
      EXPECT_TRUE((Null() ? builder.AppendNull() : builder.Append(value)).ok());
    }
    return builder.Finish().ValueOrDie();
  }

  std::shared_ptr<arrow::Array> FixedWidth(const DataType& type, int64_t rows) {
    const auto arrow_type = ToArrow(type).ValueOrDie();
    const int64_t bytes = (rows * arrow_type->bit_width() + 7) / 8;
    std::vector<uint8_t> values(static_cast<size_t>(bytes));
    std::vector<uint8_t> validity(static_cast<size_t>((rows + 7) / 8));
    for (auto& byte : values) byte = static_cast<uint8_t>(random_());
    for (int64_t i = 0; i < rows; ++i) validity[i / 8] |= (Null() ? 0 : 1) << (i % 8);
    return arrow::MakeArray(arrow::ArrayData::Make(arrow_type, rows,
                                                   {arrow::Buffer::FromVector(std::move(validity)),
                                                    arrow::Buffer::FromVector(std::move(values))}));
  }

  std::mt19937_64 random_;
  int64_t null_percent_ = 0;
};

// The bits of two columns, NaNs included.
bool SameBits(const arrow::Array& left, const arrow::Array& right) {
  const auto bits = [](const arrow::Array& column) {
    auto data = column.data()->Copy();
    if (column.type_id() == arrow::Type::FLOAT) data->type = arrow::int32();
    if (column.type_id() == arrow::Type::DOUBLE) data->type = arrow::int64();
    return arrow::MakeArray(data);
  };
  return bits(left)->Equals(*bits(right));
}

void RoundTrip(uint64_t seed) {
  RandomColumns random(seed);
  std::vector<std::string> types;
  for (int64_t i = random.Below(90); i >= 0; --i)
    types.push_back(kTypes[random.Below(std::size(kTypes))]);
  const auto fields = FieldsOf(types);
  const int64_t row_count = random.Below(1500);
  const int64_t offset = random.Below(row_count + 1);
  Batch batch = BatchOf(fields, {}, row_count - offset);
  for (const auto& field : fields) {
    batch.columns.push_back(random.Column(field.type, row_count)->Slice(offset));
  }
  if (random.Below(2)) {
    std::vector<int32_t> selection;
    for (int64_t i = 0; i < batch.row_count; ++i) {
      if (random.Below(3)) selection.push_back(static_cast<int32_t>(i));
    }
    batch.selection = arrow::Buffer::FromVector(std::move(selection));
  }

  arrow::MemoryPool* pool = arrow::default_memory_pool();
  auto encoder = UnsafeRowEncoder::Make(fields, pool).ValueOrDie();
  auto decoder = UnsafeRowDecoder::Make(fields, pool).ValueOrDie();
  const auto rows = encoder->Encode(batch).ValueOrDie();
  EXPECT_LE(rows.offsets[rows.row_count], encoder->BytesBound(batch));
  std::vector<int32_t> lengths;
  for (int i = 0; i < rows.row_count; ++i) lengths.push_back(rows.offsets[i + 1] - rows.offsets[i]);
  const Batch back =
      decoder->Decode({rows.bytes, static_cast<size_t>(rows.offsets[rows.row_count])}, lengths)
          .ValueOrDie();

  const auto expected = ToRecordBatch(batch, pool).ValueOrDie();
  ASSERT_EQ(back.row_count, expected->num_rows());
  for (int c = 0; c < expected->num_columns(); ++c) {
    // Random bits may have more digits than a decimal's type, which only a full validation minds.
    const bool decimal = fields[c].type.is(TypeKind::kDecimal);
    const Status valid = decimal ? back.columns[c]->Validate() : back.columns[c]->ValidateFull();
    ASSERT_TRUE(valid.ok()) << valid;
    ASSERT_TRUE(SameBits(*back.columns[c], *expected->column(c))) << types[c] << ", column " << c;
  }
}

TEST(RowRoundTrip, KeepsRandomBatches) {
  const uint64_t first_seed = std::random_device{}();
  for (uint64_t seed = first_seed; seed < first_seed + 200; ++seed) {
    RoundTrip(seed);
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

// Bytes of rows changed at random are read or refused, but nothing outside them is touched (run
// with the address sanitizer to see that).
TEST(RowRoundTrip, SurvivesDamagedRows) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  const auto fields = FieldsOf({"string", "decimal(38,2)", "binary", "integer"});
  auto decoder = UnsafeRowDecoder::Make(fields, arrow::default_memory_pool()).ValueOrDie();
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<uint8_t> row(8 * (5 + random() % 8));
    for (int field = 1; field <= 3; ++field) {
      const bool small = random() % 4 != 0;
      const auto offset = static_cast<uint32_t>(small ? random() % 120 : random());
      row[8 * field] = static_cast<uint8_t>(random() % 24);
      std::memcpy(&row[8 * field + 4], &offset, sizeof(offset));
    }
    row[0] = static_cast<uint8_t>(random() % 16);
    const auto length = static_cast<int32_t>(row.size());
    const auto batch = decoder->Decode(row, {&length, 1});
    if (batch.ok()) {
      for (const auto& column : batch->columns) ASSERT_TRUE(column->ValidateFull().ok());
    } else {
      ASSERT_TRUE(batch.status().IsInvalid()) << batch.status();
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_LT(refused, 2000);
}

}  // namespace
}  // namespace reprise
