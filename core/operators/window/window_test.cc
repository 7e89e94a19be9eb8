#include "operators/window/window.h"

#include "operators/aggregate/aggregate_testing.h"
#include "operators/fixed_memory.h"
#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::BatchOf;
using testing::ColumnOf;
using testing::Drain;
using testing::Fields;
using testing::Good;
using Json = nlohmann::json;

// A partition, an order in it, a value.
const std::vector<Field> kWindowed = Fields({"p string", "o integer", "v long"});

Json FrameOf(const Json& lower, const Json& upper, bool range = false) {
  return {{"range", range}, {"lower", lower}, {"upper", upper}};
}

Json SumOf(const Json& frame, const std::vector<Field>& fields = kWindowed, int column = 2) {
  Json sum = {{"function", "sum"},
              {"mode", "complete"},
              {"inputs", {ToJson(ColumnOf(fields, column))}},
              {"buffer", ToJson(Fields({"sum long"}))},
              {"result", "long"},
              {"inputType", JsonName(fields[column].type)},
              {"ansi", true},
              {"frame", frame}};
  return sum;
}

Json RankingOf(const std::string& function) {
  const bool share = function == "percent_rank" || function == "cume_dist";
  return {{"function", function}, {"result", share ? "double" : "integer"}};
}

Json OffsetOf(int64_t number, bool skips_nulls = false) {
  return {{"function", "offset"},
          {"number", number},
          {"inputs", {ToJson(ColumnOf(kWindowed, 2))}},
          {"skipsNulls", skips_nulls},
          {"result", "long"}};
}

OperatorSpec WindowOf(const std::vector<Json>& functions,
                      const std::vector<Field>& fields = kWindowed) {
  std::vector<Field> output = fields;
  for (const Json& function : functions) {
    output.push_back({"w", ParseDataType(function["result"].get<std::string>()), true});
  }
  const Json order = {
      {"expression", ToJson(ColumnOf(fields, 1))}, {"ascending", true}, {"nullsFirst", true}};
  return {"window",
          "RepriseWindow",
          7,
          "",
          "",
          std::move(output),
          {fields},
          {{"partition", {ToJson(ColumnOf(fields, 0))}},
           {"ordering", {order}},
           {"functions", functions}}};
}

const char* const kP = R"(["a","a","a","a","b","b",null,"c","c","c"])";
const char* const kO = "[1, 1, 2, 5, 3, 3, 1, null, null, 4]";
const char* const kV = "[1, null, 3, 4, 5, 6, 7, 8, null, 10]";

// The results of each function over the rows in batches of some rows each, by several targets.
void ExpectWindow(const std::vector<Json>& functions, const std::vector<std::string>& results) {
  const Batch all = BatchOf(kWindowed, {kP, kO, kV});
  for (const int64_t rows : {1, 2, 3, 10}) {
    for (const int64_t target : {1, 3, 100}) {
      SCOPED_TRACE(fmt::format("batches of {}, target {}", rows, target));
      std::vector<Batch> batches;
      for (int64_t begin = 0; begin < all.row_count; begin += rows) {
        batches.push_back(SelectedRows(all, begin, std::min(begin + rows, all.row_count)));
      }
      TaskContext context;
      context.batch_rows_target = target;
      auto window = Good(MakeOperator(
          WindowOf(functions), testing::SourceOf(kWindowed, std::move(batches), context), context));
      const auto rows_given = Good(Drain(window.get()));
      testing::ExpectColumn(*rows_given, 0, kP);
      testing::ExpectColumn(*rows_given, 2, kV);
      for (size_t i = 0; i < results.size(); ++i) {
        testing::ExpectColumn(*rows_given, static_cast<int>(3 + i), results[i]);
      }
    }
  }
}

TEST(Window, Ranks) {
  const std::vector<std::string> running = {"[1, 2, 3, 4, 1, 2, 1, 1, 2, 3]",
                                            "[1, 1, 3, 4, 1, 1, 1, 1, 1, 3]",
                                            "[1, 1, 2, 3, 1, 1, 1, 1, 1, 2]"};
  // Alone they leave before their partition has ended.
  ExpectWindow({RankingOf("row_number"), RankingOf("rank"), RankingOf("dense_rank")}, running);
  Json tile = RankingOf("ntile");
  tile["number"] = 2;
  ExpectWindow({RankingOf("row_number"), RankingOf("rank"), RankingOf("dense_rank"), tile,
                RankingOf("cume_dist"), RankingOf("percent_rank")},
               {running[0], running[1], running[2], "[1, 1, 2, 2, 1, 2, 1, 1, 1, 2]",
                "[0.5, 0.5, 0.75, 1, 1, 1, 1, 0.6666666666666666, 0.6666666666666666, 1]",
                "[0, 0, 0.6666666666666666, 1, 0, 0, 0, 0, 0, 1]"});
}

TEST(Window, TakesOtherRows) {
  Json with_default = OffsetOf(2);
  with_default["default"] = ToJson(testing::Literal("long", -1));
  ExpectWindow(
      {OffsetOf(1), OffsetOf(-1), OffsetOf(1, true), OffsetOf(-1, true), with_default},
      {"[null, 3, 4, null, 6, null, null, null, 10, null]",
       "[null, 1, null, 3, null, 5, null, null, 8, null]",
       "[3, 3, 4, null, 6, null, null, 10, 10, null]", "[null, 1, 1, 3, null, 5, null, null, 8, 8]",
       "[3, 4, -1, -1, -1, -1, -1, 10, -1, -1]"});
}

TEST(Window, AddsUpFrames) {
  ExpectWindow({SumOf(FrameOf(nullptr, nullptr))}, {"[8, 8, 8, 8, 11, 11, 7, 18, 18, 18]"});
  // Running totals, by rows and with peers.
  ExpectWindow({SumOf(FrameOf(nullptr, "current")), SumOf(FrameOf(nullptr, "current", true))},
               {"[1, 1, 4, 8, 5, 11, 7, 8, 8, 18]", "[1, 1, 4, 8, 11, 11, 7, 8, 8, 18]"});
  ExpectWindow({SumOf(FrameOf(nullptr, 1)), SumOf(FrameOf(nullptr, -1)), SumOf(FrameOf(-1, 0)),
                SumOf(FrameOf("current", nullptr)), SumOf(FrameOf(1, 2))},
               {"[1, 4, 8, 8, 11, 11, 7, 8, 18, 18]", "[null, 1, 1, 4, null, 5, null, null, 8, 8]",
                "[1, 1, 3, 7, 5, 11, 7, 8, 8, 10]", "[8, 7, 7, 4, 11, 6, 7, 18, 10, 10]",
                "[3, 7, 4, null, 6, null, null, 10, 10, null]"});
}

TEST(Window, FramesByValues) {
  // From the key less one to the key and two.
  const auto moved = [](int by) {
    return ToJson(testing::Call(
        "add", "integer", {ColumnOf(Fields({"key integer"}), 0), testing::Literal("integer", by)}));
  };
  ExpectWindow({SumOf(FrameOf(moved(-1), moved(2), true))}, {"[4, 4, 4, 4, 11, 11, 7, 8, 8, 10]"});
}

TEST(Window, NumbersTheRowsOfFrames) {
  const auto bounds = [](const Json& frame) {
    std::vector<Json> functions;
    for (const char* name : {"frame_begin", "frame_end"}) {
      functions.push_back({{"function", name}, {"result", "integer"}, {"frame", frame}});
    }
    return functions;
  };
  ExpectWindow(bounds(FrameOf(-1, "current")),
               {"[0, 0, 1, 2, 0, 0, 0, 0, 0, 1]", "[1, 2, 3, 4, 1, 2, 1, 1, 2, 3]"});
  ExpectWindow(bounds(FrameOf("current", nullptr, true)),
               {"[0, 0, 2, 3, 0, 0, 0, 0, 0, 2]", "[4, 4, 4, 4, 2, 2, 1, 3, 3, 3]"});
  // One without rows begins where it ends.
  ExpectWindow(bounds(FrameOf(2, 3)),
               {"[2, 3, 4, 4, 2, 2, 1, 2, 3, 3]", "[4, 4, 4, 4, 2, 2, 1, 3, 3, 3]"});
}

TEST(Window, FirstLastAndNth) {
  Json nth = OffsetOf(2);
  nth["function"] = "nth_value";
  nth["frame"] = FrameOf(-1, 1);
  Json last = nth;
  last["number"] = -1;
  last["skipsNulls"] = true;
  ExpectWindow({nth, last}, {"[null, null, 3, 4, 6, 6, null, null, null, 10]",
                             "[1, 3, 4, 4, 6, 6, 7, 8, 10, 10]"});
}

TEST(Window, LongFramesAreMerged) {
  std::string keys = "[\"a\"", orders = "[0", values = "[0", sums = "[0";
  int64_t expected = 0;
  for (int64_t i = 1; i < 1000; ++i) {
    keys += ",\"a\"";
    orders += fmt::format(",{}", i);
    values += fmt::format(",{}", i * i % 97);
    expected += i * i % 97 - (i > 100 ? (i - 101) * (i - 101) % 97 : 0);
    sums += fmt::format(",{}", expected);
  }
  const TaskContext context;
  auto window = Good(MakeOperator(
      WindowOf({SumOf(FrameOf(-100, 0))}),
      testing::SourceOf(kWindowed, {BatchOf(kWindowed, {keys + "]", orders + "]", values + "]"})},
                        context),
      context));
  testing::ExpectColumn(*Good(Drain(window.get())), 3, sums + "]");
}

TEST(Window, RowsBeforeAnErrorLeave) {
  const char* const largest = "[1, 9223372036854775807, 5]";
  for (const Json& frame :
       {FrameOf(nullptr, "current"), FrameOf(-1, 0), FrameOf(nullptr, nullptr)}) {
    const TaskContext context;
    auto window = Good(MakeOperator(
        WindowOf({SumOf(frame)}),
        testing::SourceOf(kWindowed,
                          {BatchOf(kWindowed, {R"(["a"])", "[1]", "[3]"}),
                           BatchOf(kWindowed, {R"(["b","b","b"])", "[1, 2, 3]", largest})},
                          context),
        context));
    int64_t rows = 0;
    Status error;
    while (error.ok()) {
      const auto batch = window->Next();
      error = batch.status();
      if (batch.ok()) rows += (*batch)->row_count;
    }
    const bool whole = frame["upper"].is_null();
    EXPECT_EQ(rows, whole ? 1 : 2) << frame;
    EXPECT_THAT(error.message(), ::testing::HasSubstr("overflow"));
    EXPECT_THAT(error.message(), ::testing::HasSubstr("LORE id 7"));
  }
}

TEST(Window, ALongPartitionSpillsItsRows) {
  const std::vector<Field> fields = Fields({"p string", "o integer", "v long", "s string"});
  std::vector<Batch> batches;
  const std::string text(1000, 'x');
  for (int b = 0; b < 40; ++b) {
    std::string p, o, v, s;
    for (int i = 0; i < 100; ++i) {
      const char* comma = i == 0 ? "[" : ",";
      p += fmt::format("{}\"a\"", comma);
      o += fmt::format("{}{}", comma, b * 100 + i);
      v += fmt::format("{}1", comma);
      s += fmt::format("{}\"{}{}\"", comma, text, i);
    }
    batches.push_back(BatchOf(fields, {p + "]", o + "]", v + "]", s + "]"}));
  }
  FixedMemory grant(64 << 10);
  TaskMemory::Options options;
  options.over_commit_bytes = 4 << 20;
  TaskMemory memory(&grant, options);
  TaskContext context;
  context.pool = &memory;
  context.memory = &memory;
  auto window = Good(MakeOperator(WindowOf({SumOf(FrameOf(nullptr, nullptr), fields)}, fields),
                                  testing::SourceOf(fields, batches, context), context));
  int64_t row = 0;
  while (true) {
    const auto batch = Good(window->Next());
    if (!batch) break;
    const auto records = Good(ToRecordBatch(*batch, arrow::default_memory_pool()));
    for (int64_t i = 0; i < records->num_rows(); ++i, ++row) {
      EXPECT_EQ(Good(records->column(1)->GetScalar(i))->ToString(), std::to_string(row));
      EXPECT_EQ(Good(records->column(4)->GetScalar(i))->ToString(), "4000");
    }
  }
  EXPECT_EQ(row, 4000);
  EXPECT_GT(window->metrics().spilled_disk_bytes, 0);
}

TEST(Window, SaysWhatIsWrong) {
  const TaskContext context;
  const auto message = [&](OperatorSpec spec) {
    return MakeOperator(std::move(spec), testing::SourceOf(kWindowed, {}, context), context)
        .status()
        .message();
  };
  OperatorSpec spec = WindowOf({RankingOf("rank")});
  spec.arguments["functions"][0]["function"] = "median";
  EXPECT_THAT(message(spec), ::testing::HasSubstr("window function 0: \"function\" is \"median\""));
  spec = WindowOf({RankingOf("rank")});
  spec.arguments["functions"][0]["result"] = "double";
  EXPECT_THAT(message(spec), ::testing::HasSubstr("\"result\" is double, expected int"));
  spec = WindowOf({SumOf(FrameOf(nullptr, 3, true))});
  EXPECT_THAT(message(spec), ::testing::HasSubstr("a frame mixes rows and values"));
  spec = WindowOf({RankingOf("rank")});
  spec.output.pop_back();
  EXPECT_THAT(message(spec), ::testing::HasSubstr("there are 1 functions"));
  spec = WindowOf({RankingOf("ntile")});
  EXPECT_THAT(message(spec), ::testing::HasSubstr("\"number\""));
}

OperatorSpec GroupLimitOf(const std::string& function, int64_t limit) {
  OperatorSpec spec = WindowOf({});
  spec.kind = "window_group_limit";
  spec.arguments.erase("functions");
  spec.arguments["function"] = function;
  spec.arguments["limit"] = limit;
  return spec;
}

TEST(WindowGroupLimit, KeepsWhatSparkKeeps) {
  const Batch all = BatchOf(kWindowed, {kP, kO, kV});
  const auto kept = [&](const std::string& function, int64_t limit, int64_t rows) {
    std::vector<Batch> batches;
    for (int64_t begin = 0; begin < all.row_count; begin += rows) {
      batches.push_back(SelectedRows(all, begin, std::min(begin + rows, all.row_count)));
    }
    const TaskContext context;
    auto made =
        Good(MakeOperator(GroupLimitOf(function, limit),
                          testing::SourceOf(kWindowed, std::move(batches), context), context));
    return Good(Drain(made.get()));
  };
  for (const int64_t rows : {1, 3, 10}) {
    testing::ExpectColumn(*kept("row_number", 1, rows), 2, "[1, 5, 7, 8]");
    testing::ExpectColumn(*kept("row_number", 2, rows), 2, "[1, null, 5, 6, 7, 8, null]");
    // As long as the rank before is below the limit.
    testing::ExpectColumn(*kept("rank", 1, rows), 2, "[1, null, 3, 5, 6, 7, 8, null, 10]");
    testing::ExpectColumn(*kept("dense_rank", 2, rows), 2, "[1, null, 3, 4, 5, 6, 7, 8, null, 10]");
  }
  const TaskContext context;
  const auto made =
      MakeOperator(GroupLimitOf("ntile", 1), testing::SourceOf(kWindowed, {}, context), context);
  EXPECT_THAT(made.status().message(), ::testing::HasSubstr("\"ntile\", which is not known"));
}

}  // namespace
}  // namespace reprise
