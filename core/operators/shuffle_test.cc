// Both sides of an exchange: what is written is read again.
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "exchange/block_decoder.h"
#include "operators/fixed_memory.h"
#include "operators/operator_testing.h"
#include "operators/shuffle_read.h"
#include "operators/shuffle_write.h"

namespace reprise {
namespace {

using testing::BatchOf;
using testing::Drain;
using testing::ExpectColumn;
using testing::Fields;
using testing::Good;
using testing::SourceOf;

const std::vector<Field> kShuffled = Fields({"a integer", "s string"});

class GivenBlocks final : public BlockSource {
 public:
  explicit GivenBlocks(std::vector<std::shared_ptr<arrow::Buffer>> blocks)
      : blocks_(std::move(blocks)) {}
  Result<std::shared_ptr<arrow::Buffer>> Next(arrow::MemoryPool*) override {
    if (next_ == blocks_.size()) return nullptr;
    return blocks_[next_++];
  }

 private:
  std::vector<std::shared_ptr<arrow::Buffer>> blocks_;
  size_t next_ = 0;
};

nlohmann::json Arguments(nlohmann::json partitioning, int partitions,
                         const std::string& codec = "lz4") {
  return {
      {"partitioning", std::move(partitioning)}, {"numPartitions", partitions}, {"codec", codec}};
}

nlohmann::json HashOfA() {
  return {{"type", "hash"}, {"expressions", {ToJson(testing::ColumnOf(kShuffled, 0))}}};
}

Result<std::unique_ptr<Operator>> Writer(nlohmann::json arguments, std::vector<Batch> batches,
                                         const TaskContext& context) {
  OperatorSpec spec{"shuffle_write", "RepriseShuffle",    0, "", "", kShuffled,
                    {kShuffled},     std::move(arguments)};
  return MakeOperator(std::move(spec), SourceOf(kShuffled, std::move(batches), context), context);
}

std::vector<EncodedBlock> Blocks(Operator* writer) {
  std::vector<EncodedBlock> blocks;
  auto* producer = dynamic_cast<BlockProducer*>(writer);
  while (auto block = Good(producer->NextBlock())) blocks.push_back(std::move(*block));
  EXPECT_FALSE(Good(producer->NextBlock()).has_value());
  return blocks;
}

std::unique_ptr<Operator> Reader(std::vector<std::shared_ptr<arrow::Buffer>> blocks,
                                 const TaskContext& context,
                                 std::optional<int64_t> broadcast = std::nullopt) {
  OperatorSpec spec{"shuffle_read", "RepriseShuffleRead", 0, "", "", kShuffled, {}, {}};
  return Good(MakeShuffleRead(std::move(spec), std::make_unique<GivenBlocks>(std::move(blocks)),
                              broadcast, context));
}

TEST(Shuffle, BringsEveryRowToItsPartition) {
  TaskContext context;
  context.batch_rows_target = 3;
  Batch second = BatchOf(kShuffled, {"[1, 31176, 7419, 2, null]", R"(["e", "f", "g", "h", "i"])"});
  second = testing::WithSelection(second, {1, 2, 4});
  auto writer = Good(Writer(
      Arguments(HashOfA(), 7),
      {BatchOf(kShuffled, {"[-500, 7419, 15338, 23257]", R"(["a", "b", null, "d"])"}), second},
      context));
  std::map<int, std::vector<std::shared_ptr<arrow::Buffer>>> by_partition;
  for (const EncodedBlock& block : Blocks(writer.get())) {
    by_partition[block.partition].push_back(block.bytes);
  }
  ASSERT_EQ(by_partition.size(), 5u);
  const auto rows = Good(Drain(Reader(by_partition[3], context).get()));
  ExpectColumn(*rows, 0, "[7419, 7419]");
  ExpectColumn(*rows, 1, R"(["b", "g"])");
  // hash(null) is 42, 42 mod 7 is 0.
  ExpectColumn(*Good(Drain(Reader(by_partition[0], context).get())), 1, R"(["i"])");
  ExpectColumn(*Good(Drain(Reader(by_partition[6], context).get())), 0, "[15338, 23257]");
  EXPECT_EQ(writer->metrics().output_rows, 7);
  EXPECT_EQ(writer->metrics().extra[0], 7 * 4 + 7 * 4 + 6);  // dataSize
  EXPECT_EQ(writer->metrics().extra[1], 5);
  EXPECT_GT(writer->metrics().extra[2], 0);
}

TEST(Shuffle, NextGivesTheRowsOfTheBlocks) {
  const TaskContext context;
  const Batch batch = BatchOf(kShuffled, {"[7419, -500, 7419]", R"(["a", "b", "c"])"});
  const auto writer = Good(Writer(Arguments(HashOfA(), 7), {batch}, context));
  const auto rows = Good(Drain(writer.get()));
  ExpectColumn(*rows, 0, "[-500, 7419, 7419]");
  ExpectColumn(*rows, 1, R"(["b", "a", "c"])");
}

TEST(Shuffle, TellsThePartitionsOfRowsButNotInBlocks) {
  const TaskContext context;
  const Batch batch = BatchOf(kShuffled, {"[7419, -500, 7419]", R"(["a", "b", "c"])"});
  nlohmann::json arguments = Arguments(HashOfA(), 7);
  arguments["tellsPartitions"] = true;
  std::vector<Field> told = kShuffled;
  told.push_back(PartitionColumn());
  const auto made = [&](std::vector<Field> output) {
    OperatorSpec spec{"shuffle_write",   "RepriseShuffle", 0,        "", "",
                      std::move(output), {kShuffled},      arguments};
    return MakeOperator(std::move(spec), SourceOf(kShuffled, {batch}, context), context);
  };
  const auto rows = Good(Drain(Good(made(told)).get()));
  ExpectColumn(*rows, 1, R"(["b", "a", "c"])");
  ExpectColumn(*rows, 2, "[1, 3, 3]");
  const auto writer = Good(made(told));
  std::vector<std::shared_ptr<arrow::Buffer>> blocks;
  for (const EncodedBlock& block : Blocks(writer.get())) blocks.push_back(block.bytes);
  ExpectColumn(*Good(Drain(Reader(blocks, context).get())), 1, R"(["b", "a", "c"])");
  EXPECT_THAT(made(kShuffled).status().message(),
              ::testing::HasSubstr("its last column tells partitions: expected an int"));
}

TEST(Shuffle, ASinglePartitionCollectsSmallBatches) {
  TaskContext context;
  context.batch_rows_target = 4;
  std::vector<Batch> batches(5, BatchOf(kShuffled, {"[1, 2]", R"(["x", "y"])"}));
  const auto writer =
      Good(Writer(Arguments({{"type", "single"}}, 1, "none"), std::move(batches), context));
  const auto blocks = Blocks(writer.get());
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].rows, 4);
  EXPECT_EQ(blocks[2].rows, 2);
  EXPECT_EQ(blocks[2].partition, 0);
}

/// The numbers of each partition, in their own order.
std::map<int, std::multiset<int64_t>> RowsByPartition(Operator* writer) {
  std::map<int, std::multiset<int64_t>> rows;
  BlockDecoder decoder(writer->output_schema(), arrow::default_memory_pool());
  for (const EncodedBlock& block : Blocks(writer)) {
    const auto batch = Good(decoder.Decode(block.bytes));
    EXPECT_EQ(batch.row_count, block.rows);
    const auto& numbers = static_cast<const arrow::Int32Array&>(*batch.columns[0]);
    for (int64_t row = 0; row < batch.row_count; ++row) {
      rows[block.partition].insert(numbers.Value(row));
    }
  }
  return rows;
}

using PartitionRows = std::map<int, std::multiset<int64_t>>;

// Rows that were spilled leave before those that came later, also those that are spilled while
// blocks of the file leave.
TEST(Shuffle, SpilledRowsKeepTheirOrder) {
  TaskContext context;
  context.batch_rows_target = 2;
  std::vector<Batch> batches;
  for (int i = 0; i < 12; i += 2) {
    batches.push_back(BatchOf(kShuffled, {fmt::format("[{}, {}]", i, i + 1), R"(["a", "b"])"}));
  }
  const nlohmann::json two = {{"type", "round_robin"}};
  for (const std::set<size_t>& spills :
       {std::set<size_t>{1}, {2}, {1, 2}, {1, 3}, {1, 3, 4}, {1, 2, 3, 4, 5, 6}}) {
    const auto writer = Good(Writer(Arguments(two, 2), batches, context));
    auto* blocks = dynamic_cast<BlockProducer*>(writer.get());
    BlockDecoder decoder(writer->output_schema(), arrow::default_memory_pool());
    std::map<int, std::vector<int>> rows;
    size_t given = 0;
    while (const auto block = Good(blocks->NextBlock())) {
      const auto batch = Good(decoder.Decode(block->bytes));
      const auto& numbers = static_cast<const arrow::Int32Array&>(*batch.columns[0]);
      for (int64_t row = 0; row < batch.row_count; ++row) {
        rows[block->partition].push_back(numbers.Value(row));
      }
      if (spills.contains(++given)) Good(writer->Spill());
    }
    ASSERT_EQ(rows.size(), 2u);
    for (const auto& [partition, numbers] : rows) {
      EXPECT_EQ(numbers.size(), 6u);
      EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()))
          << fmt::format("partition {}: {}", partition, fmt::join(numbers, ", "));
    }
  }
}

TEST(Shuffle, WhatIsSpilledWhileBlocksLeaveIsNotLost) {
  TaskContext context;
  const Batch batch = BatchOf(kShuffled, {"[-500, 7419, 15338]", R"(["a", "b", null])"});
  auto writer = Good(Writer(Arguments(HashOfA(), 7), {batch}, context));
  EXPECT_EQ(writer->SpillableBytes(), 0);
  EXPECT_EQ(Good(writer->Spill()), 0);
  const auto first = Good(dynamic_cast<BlockProducer*>(writer.get())->NextBlock());
  EXPECT_EQ(first->partition, 1);
  EXPECT_GT(writer->SpillableBytes(), 0);
  EXPECT_GT(Good(writer->Spill()), 0);
  EXPECT_EQ(writer->SpillableBytes(), 0);
  EXPECT_GT(writer->metrics().spilled_disk_bytes, 0);
  EXPECT_EQ(RowsByPartition(writer.get()), (PartitionRows{{3, {7419}}, {6, {15338}}}));
  EXPECT_EQ(writer->metrics().output_rows, 3);
}

TEST(Shuffle, SpillsWhereMemoryIsShortAndLosesNothing) {
  std::string numbers = "[0";
  std::string texts = R"(["0")";
  for (int i = 1; i < 20000; ++i) {
    numbers += fmt::format(",{}", i);
    texts += fmt::format(R"(,"some text of row {}")", i);
  }
  const std::vector<Batch> batches(20, BatchOf(kShuffled, {numbers + "]", texts + "]"}));
  const auto run = [&](int64_t bytes, int64_t* spilled) {
    FixedMemory manager(bytes);
    TaskMemory memory(&manager);
    TaskContext context;
    context.pool = &memory;
    context.memory = &memory;
    auto writer = Good(Writer(Arguments(HashOfA(), 7), batches, context));
    auto rows = RowsByPartition(writer.get());
    *spilled = writer->metrics().spilled_disk_bytes;
    writer.reset();
    EXPECT_EQ(memory.bytes_allocated(), 0);
    return rows;
  };
  int64_t spilled = 0;
  const PartitionRows with_spills = run(int64_t{3} << 20, &spilled);
  EXPECT_GT(spilled, 0);
  const PartitionRows without = run(int64_t{1} << 30, &spilled);
  EXPECT_EQ(spilled, 0);
  EXPECT_EQ(with_spills.size(), 7u);
  EXPECT_TRUE(with_spills == without);
}

// Whether memory is short, and in which order rows come, is not seen in who gets them.
TEST(Shuffle, ARoundRobinGivesEachPartitionTheSameRowsAlways) {
  std::vector<Batch> batches;
  for (int i = 0; i < 20; ++i) {
    std::string numbers;
    std::string texts;
    for (int row = 0; row < 5000; ++row) {
      const int number = i * 5000 + row;
      numbers += fmt::format("{}{}", row == 0 ? "[" : ",", number % 60000);
      texts += fmt::format(R"({}"some text of row {}")", row == 0 ? "[" : ",", number % 60000);
    }
    batches.push_back(BatchOf(kShuffled, {numbers + "]", texts + "]"}));
  }
  const auto run = [&](int64_t bytes) {
    FixedMemory manager(bytes);
    TaskMemory memory(&manager);
    TaskContext context;
    context.pool = &memory;
    context.memory = &memory;
    context.partition = 3;
    auto writer =
        Good(Writer(Arguments({{"type", "round_robin"}, {"sorted", true}}, 7), batches, context));
    auto rows = RowsByPartition(writer.get());
    EXPECT_EQ(writer->metrics().spilled_disk_bytes > 0, bytes < int64_t{1} << 30);
    writer.reset();
    EXPECT_EQ(memory.bytes_allocated(), 0);
    return rows;
  };
  const PartitionRows expected = run(int64_t{1} << 30);
  ASSERT_EQ(expected.size(), 7u);
  for (const auto& [partition, rows] : expected) EXPECT_NEAR(rows.size(), 100000 / 7, 1);
  EXPECT_TRUE(run(int64_t{3} << 20) == expected);
  std::ranges::reverse(batches);
  EXPECT_TRUE(run(int64_t{1} << 30) == expected);
  EXPECT_TRUE(run(int64_t{4} << 20) == expected);
}

TEST(Shuffle, ReadingPutsSmallBlocksTogether) {
  TaskContext context;
  context.batch_rows_target = 1;
  const auto blocks = [&](const std::string& a, const std::string& s) {
    auto writer =
        Good(Writer(Arguments({{"type", "single"}}, 1), {BatchOf(kShuffled, {a, s})}, context));
    std::vector<std::shared_ptr<arrow::Buffer>> all;
    for (const EncodedBlock& block : Blocks(writer.get())) all.push_back(block.bytes);
    return all;
  };
  const auto given = blocks("[1, 2, 3, 4, 5]", R"(["a", null, "c", "d", "e"])");
  ASSERT_EQ(given.size(), 5u);
  context.batch_rows_target = 2;
  auto reader = Reader(given, context, 17);
  EXPECT_EQ(reader->broadcast_id(), 17);
  const auto first = Good(reader->Next());
  EXPECT_EQ(first->row_count, 2);
  const auto rest = Good(Drain(reader.get()));
  ExpectColumn(*rest, 0, "[3, 4, 5]");
  ExpectColumn(*rest, 1, R"(["c", "d", "e"])");
  EXPECT_EQ(reader->metrics().output_batches, 3);
  EXPECT_EQ(reader->metrics().extra[0], 5);
}

TEST(Shuffle, ADamagedBlockIsAnErrorThatSaysWhich) {
  const TaskContext context;
  auto writer = Good(Writer(Arguments({{"type", "single"}}, 1),
                            {BatchOf(kShuffled, {"[1]", R"(["a"])"})}, context));
  const auto good = Blocks(writer.get())[0].bytes;
  const auto cut = arrow::SliceBuffer(good, 0, good->size() - 3);
  EXPECT_EQ(
      Reader({good, cut}, context)->Next().status().message(),
      fmt::format("RepriseShuffleRead: block 1 of its input: the block is cut off or damaged: "
                  "{} bytes follow its header, expected {}",
                  good->size() - 43, good->size() - 40));
}

TEST(Shuffle, WorksWithoutRowsAndWithoutColumns) {
  const TaskContext context;
  EXPECT_TRUE(Blocks(Good(Writer(Arguments(HashOfA(), 7), {}, context)).get()).empty());
  EXPECT_FALSE(Good(Reader({}, context)->Next()).has_value());
  OperatorSpec spec{
      "shuffle_write", "RepriseShuffle", 0, "", "", {}, {{}}, Arguments({{"type", "single"}}, 1)};
  const Batch rows{arrow::schema({}), {}, 5, nullptr};
  auto writer = Good(MakeOperator(std::move(spec), SourceOf({}, {rows}, context), context));
  const auto blocks = Blocks(writer.get());
  ASSERT_EQ(blocks.size(), 1u);
  BlockDecoder decoder(arrow::schema({}), arrow::default_memory_pool());
  EXPECT_EQ(Good(decoder.Decode(blocks[0].bytes)).row_count, 5);
}

TEST(Shuffle, RefusesWhatItCannotDo) {
  const TaskContext context;
  const auto error = [&](nlohmann::json arguments) {
    return Writer(std::move(arguments), {}, context).status().message();
  };
  EXPECT_EQ(error({}), "RepriseShuffle: \"arguments\" must be an object, not null");
  EXPECT_EQ(error(Arguments(HashOfA(), 0)),
            "RepriseShuffle: \"numPartitions\" is 0; expected 1 to 2147483647");
  EXPECT_EQ(error(Arguments(HashOfA(), 2, "snappy")),
            "RepriseShuffle: \"codec\": there is no codec \"snappy\"; expected lz4, zstd or none");
  EXPECT_EQ(error(Arguments({{"type", "x"}}, 2)),
            "RepriseShuffle: \"partitioning\": there is no partitioning \"x\"; expected hash, "
            "range, round_robin or single");
}

}  // namespace
}  // namespace reprise
