#include "operators/guest_project.h"

#include "operators/operator_testing.h"
#include "transitions/row_decoder.h"
#include "transitions/row_encoder.h"

namespace reprise {
namespace {

using testing::BatchOf;
using testing::Fields;
using testing::Good;

const std::vector<Field> kInput = Fields({"a integer", "b string"});
const std::vector<Field> kGuestRead = Fields({"b string"});
const std::vector<Field> kGuestOutput = Fields({"a integer", "b string", "guest1 string"});

/// Spark that doubles a string, and fails at "bad" and "bäd".
class DoubledStrings final : public GuestRows {
 public:
  explicit DoubledStrings(std::vector<int64_t>* begun) : begun_(begun) {}

  Status Begin(const EncodedRows& rows) override {
    begun_->push_back(rows.row_count);
    rows_ = rows;
    next_ = 0;
    return Status::OK();
  }

  Result<Filled> Fill(uint8_t* to, int64_t capacity, int32_t* lengths, int32_t rows_max) override {
    failed_ = false;
    Filled filled;
    int64_t used = 0;
    while (filled.rows < rows_max && next_ < rows_.row_count && !failed_) {
      const std::optional<std::string> text = Text();
      const bool is_bad = text == "bad" || text == "bäd";
      const EncodedRows made = Encoded(text && !is_bad ? R"(["%"])" : "[null]", text.value_or(""));
      const int64_t size = made.offsets[1];
      if (size > capacity - used) return filled.rows > 0 ? filled : Filled{0, size};
      std::memcpy(to + used, made.bytes, static_cast<size_t>(size));
      lengths[filled.rows++] = static_cast<int32_t>(size);
      used += size;
      ++next_;
      failed_ = is_bad;
    }
    return filled;
  }

  Result<std::vector<std::pair<int, Status>>> Failures() override {
    std::vector<std::pair<int, Status>> failures;
    if (failed_) failures.emplace_back(0, Status::ExecutionError("a bad string"));
    return failures;
  }

 private:
  std::optional<std::string> Text() {
    auto decoder = Good(UnsafeRowDecoder::Make(kGuestRead, arrow::default_memory_pool()));
    const int32_t length = rows_.offsets[next_ + 1] - rows_.offsets[next_];
    const Batch row = Good(decoder->Decode(
        {rows_.bytes + rows_.offsets[next_], static_cast<size_t>(length)}, {&length, 1}));
    const auto column = Good(DecodeDictionary(row.columns[0], arrow::default_memory_pool()));
    if (column->IsNull(0)) return std::nullopt;
    return static_cast<const arrow::StringArray&>(*column).GetString(0);
  }

  EncodedRows Encoded(std::string json, const std::string& text) {
    if (const size_t place = json.find('%'); place != std::string::npos) {
      json.replace(place, 1, text + text);
    }
    encoder_ = Good(UnsafeRowEncoder::Make(kGuestRead, arrow::default_memory_pool()));
    return Good(encoder_->Encode(BatchOf(kGuestRead, {json})));
  }

  std::vector<int64_t>* begun_;
  EncodedRows rows_;
  int32_t next_ = 0;
  bool failed_ = false;
  std::unique_ptr<UnsafeRowEncoder> encoder_;
};

struct Guested {
  std::vector<int64_t> begun;  ///< rows of each piece
  TaskContext context;
  std::unique_ptr<Operator> op;

  explicit Guested(std::vector<Batch> batches, const OperatorSpec& spec = Spec()) {
    context.take_guest = [this](int64_t number) -> std::unique_ptr<GuestRows> {
      if (number != 0) return nullptr;
      return std::make_unique<DoubledStrings>(&begun);
    };
    op = Good(MakeOperator(spec, testing::SourceOf(kInput, std::move(batches), context), context));
  }

  static OperatorSpec Spec() {
    return {"guest_project", "RepriseGuestProject",         0, "", "", kGuestOutput,
            {kInput},        {{"reads", {1}}, {"guest", 0}}};
  }

  /// Of a core that knows what becomes of strings of ASCII, and says the same in capitals.
  static OperatorSpec Tried() {
    const ExpressionSpec column = testing::ColumnOf(kInput, 1);
    const ExpressionSpec twice{"concat", column.type, true, {}, {column, column}};
    OperatorSpec spec = Spec();
    spec.arguments["trials"] = {ToJson(ExpressionSpec{"upper", column.type, true, {}, {twice}})};
    return spec;
  }
};

TEST(GuestProject, PutsResultsBesideTheInput) {
  Guested guested({BatchOf(kInput, {"[1, 2, 3]", R"(["x", null, "yz"])"})});
  const auto table = Good(testing::Drain(guested.op.get()));
  testing::ExpectColumn(*table, 0, "[1, 2, 3]");
  testing::ExpectColumn(*table, 1, R"(["x", null, "yz"])");
  testing::ExpectColumn(*table, 2, R"(["xx", null, "yzyz"])");
}

TEST(GuestProject, EvaluatesSelectedRowsAlone) {
  const Batch batch = BatchOf(kInput, {"[1, 2, 3, 4]", R"(["bad", "b", "bad", "d"])"});
  Guested guested({testing::WithSelection(batch, {1, 3})});
  const auto table = Good(testing::Drain(guested.op.get()));
  testing::ExpectColumn(*table, 0, "[2, 4]");
  testing::ExpectColumn(*table, 2, R"(["bb", "dd"])");
}

TEST(GuestProject, BeginsWithFewRows) {
  std::string numbers = "[0";
  std::string texts = R"(["t")";
  for (int i = 1; i < 1000; ++i) {
    numbers += fmt::format(", {}", i);
    texts += R"(, "t")";
  }
  Guested guested({BatchOf(kInput, {numbers + "]", texts + "]"})});
  const auto first = Good(guested.op->Next());
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->selected_count(), 64);
  int64_t rows = first->selected_count();
  while (const auto batch = Good(guested.op->Next())) rows += batch->selected_count();
  EXPECT_EQ(rows, 1000);
  EXPECT_EQ(guested.begun, (std::vector<int64_t>{64, 256, 680}));
}

TEST(GuestProject, AnErrorStandsInItsValuesPlace) {
  Guested guested({BatchOf(kInput, {"[1, 2, 3]", R"(["x", "bad", "z"])"})});
  const auto kept = Fields({"a integer", "b string", "guest1 string"});
  OperatorSpec project = {"project", "RepriseProject",
                          1,         "",
                          "",        Fields({"a integer"}),
                          {kept},    {{"expressions", {ToJson(testing::ColumnOf(kept, 0))}}}};
  std::vector<std::unique_ptr<Operator>> inputs;
  inputs.push_back(std::move(guested.op));
  auto unused = Good(MakeOperator(project, std::move(inputs), guested.context));
  testing::ExpectColumn(*Good(testing::Drain(unused.get())), 0, "[1, 2, 3]");
}

TEST(GuestProject, RowsBeforeAnErrorLeaveFirst) {
  Guested guested({BatchOf(kInput, {"[1, 2, 3]", R"(["x", "bad", "z"])"})});
  const auto first = Good(guested.op->Next());
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->selected_count(), 1);
  const auto second = guested.op->Next();
  EXPECT_THAT(second.status().message(), ::testing::HasSubstr("a bad string"));
}

TEST(GuestProject, GivesToSparkOnlyWhatIsInDoubt) {
  const Batch batch = BatchOf(kInput, {"[1, 2, 3, 4, 5]", R"(["x", "ä", null, "ö", "y"])"});
  Guested guested({testing::WithSelection(batch, {0, 1, 2, 3}), batch}, Guested::Tried());
  const auto table = Good(testing::Drain(guested.op.get()));
  testing::ExpectColumn(*table, 0, "[1, 2, 3, 4, 1, 2, 3, 4, 5]");
  testing::ExpectColumn(*table, 2, R"(["XX", "ää", null, "öö", "XX", "ää", null, "öö", "YY"])");
  EXPECT_EQ(guested.begun, (std::vector<int64_t>{2, 2}));
}

TEST(GuestProject, GivesNothingToSparkWhereNothingIsInDoubt) {
  Guested guested({BatchOf(kInput, {"[1, 2]", R"(["x", null])"})}, Guested::Tried());
  testing::ExpectColumn(*Good(testing::Drain(guested.op.get())), 2, R"(["XX", null])");
  EXPECT_TRUE(guested.begun.empty());
}

TEST(GuestProject, StopsTryingWhereItIsSeldomSure) {
  std::vector<Batch> batches;
  for (int i = 0; i < 3; ++i) {
    std::string numbers = "[0";
    std::string texts = R"(["ä")";
    for (int row = 1; row < 5000; ++row) {
      numbers += ", 1";
      texts += row % 4 == 0 ? R"(, "t")" : R"(, "ä")";
    }
    batches.push_back(BatchOf(kInput, {numbers + "]", texts + "]"}));
  }
  Guested guested(batches, Guested::Tried());
  EXPECT_EQ(Good(testing::Drain(guested.op.get()))->num_rows(), 15000);
  EXPECT_LT(guested.begun[0], 64);
  EXPECT_EQ(guested.begun.back(), 5000) << "all rows of a batch";
}

TEST(GuestProject, AnErrorOfARowInDoubtStandsInItsPlace) {
  Guested guested({BatchOf(kInput, {"[1, 2, 3]", R"(["x", "bäd", "z"])"})}, Guested::Tried());
  const auto first = Good(guested.op->Next());
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->selected_count(), 1);
  EXPECT_THAT(guested.op->Next().status().message(), ::testing::HasSubstr("a bad string"));
}

TEST(GuestProject, SaysWhatIsMissing) {
  const TaskContext nowhere;
  const auto made = MakeOperator(Guested::Spec(), testing::SourceOf(kInput, {}, nowhere), nowhere);
  EXPECT_TRUE(made.status().IsNotImplemented());
  EXPECT_THAT(made.status().message(), ::testing::HasSubstr("there is no Spark here"));
  TaskContext context;
  context.take_guest = [](int64_t) { return nullptr; };
  OperatorSpec spec = Guested::Spec();
  const auto none = MakeOperator(spec, testing::SourceOf(kInput, {}, context), context);
  EXPECT_THAT(none.status().message(), ::testing::HasSubstr("the task has no guest 0 left"));
  spec.arguments["reads"] = {2};
  const auto beyond = MakeOperator(spec, testing::SourceOf(kInput, {}, context), context);
  EXPECT_THAT(beyond.status().message(), ::testing::HasSubstr("names column 2 of 2"));
  spec = Guested::Spec();
  spec.output = kInput;
  const auto empty = MakeOperator(spec, testing::SourceOf(kInput, {}, context), context);
  EXPECT_THAT(empty.status().message(), ::testing::HasSubstr("so that no guest is left"));
}

}  // namespace
}  // namespace reprise
