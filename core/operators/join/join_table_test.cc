#include "operators/join/join_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "operators/join/join_keys.h"
#include "operators/join/join_testing.h"

namespace reprise::testing {
namespace {

constexpr int32_t kTableRows = 6000;

std::shared_ptr<arrow::Array> SomeKeys(int64_t keys, int64_t step, uint32_t seed) {
  std::mt19937_64 random(seed);
  arrow::Int64Builder builder;
  for (int32_t i = 0; i < kTableRows; ++i) {
    const auto key = static_cast<int64_t>(random() % static_cast<uint64_t>(keys));
    EXPECT_TRUE((i % 50 == 7 ? builder.AppendNull() : builder.Append(key * step)).ok());
  }
  return *builder.Finish();
}

struct MadeTable {
  JoinKeyLayout layout{{{TypeKind::kLong}}};
  std::unique_ptr<JoinTable> table;

  MadeTable(const arrow::Array& keys, ChainOrder order)
      : table(MakeJoinTable(layout, order, arrow::default_memory_pool())) {
    JoinKeys encoded(&layout, arrow::default_memory_pool());
    EXPECT_TRUE(encoded.Encode({keys.Slice(0)}, keys.length()).ok());
    EXPECT_TRUE(table->Add(encoded).ok());
    EXPECT_TRUE(table->Finish().ok());
  }

  // By key, the rows in the order of its chain.
  std::map<int64_t, std::vector<int32_t>> Chains(const arrow::Int64Array& keys) const {
    JoinKeys encoded(&layout, arrow::default_memory_pool());
    EXPECT_TRUE(encoded.Encode({keys.Slice(0)}, keys.length()).ok());
    std::vector<int32_t> heads(static_cast<size_t>(keys.length()));
    EXPECT_TRUE(table->Find(encoded, heads.data()).ok());
    std::map<int64_t, std::vector<int32_t>> chains;
    for (int64_t i = 0; i < keys.length(); ++i) {
      if (keys.IsNull(i)) {
        EXPECT_EQ(heads[static_cast<size_t>(i)], JoinTable::kNone);
        continue;
      }
      std::vector<int32_t> chain;
      for (int32_t row = heads[static_cast<size_t>(i)]; row != JoinTable::kNone;
           row = table->Next(row)) {
        chain.push_back(row);
      }
      chains[keys.Value(i)] = chain;
    }
    return chains;
  }
};

// Keys whose slots are their values, and keys that are hashed.
TEST(JoinTables, RegroupedHaveTheSameChainsSideBySide) {
  for (const int64_t step : {int64_t{1}, int64_t{1} << 40}) {
    for (const ChainOrder order : {ChainOrder::kEarliestFirst, ChainOrder::kLatestFirst}) {
      const auto keys = SomeKeys(70, step, 11);
      const auto& longs = static_cast<const arrow::Int64Array&>(*keys);
      MadeTable made(*keys, order);
      const auto before = made.Chains(longs);
      PoolVector<int32_t> old_rows(arrow::default_memory_pool());
      ASSERT_TRUE(*made.table->Regroup(&old_rows));
      ASSERT_EQ(old_rows.size(), kTableRows);
      auto after = made.Chains(longs);
      arrow::Int64Builder moved;
      std::vector<bool> seen(kTableRows);
      for (int32_t row = 0; row < kTableRows; ++row) {
        const int32_t old_row = old_rows[row];
        EXPECT_FALSE(seen[static_cast<size_t>(old_row)]);
        seen[static_cast<size_t>(old_row)] = true;
        EXPECT_TRUE(
            (longs.IsNull(old_row) ? moved.AppendNull() : moved.Append(longs.Value(old_row))).ok());
      }
      const int32_t towards = order == ChainOrder::kLatestFirst ? -1 : 1;
      for (auto& [key, chain] : after) {
        for (size_t i = 1; i < chain.size(); ++i) EXPECT_EQ(chain[i], chain[i - 1] + towards);
      }
      // Who adds the rows again as they stand now gets the same chains.
      const auto moved_keys = *moved.Finish();
      EXPECT_EQ(MadeTable(*moved_keys, order).Chains(longs), after);
      for (auto& [key, chain] : after) {
        for (int32_t& row : chain) row = old_rows[row];
      }
      EXPECT_EQ(after, before);
    }
  }
}

TEST(JoinTables, OfFewRowsAKeyStayAsTheyAre) {
  const auto keys = SomeKeys(kTableRows, 1, 12);
  const auto& longs = static_cast<const arrow::Int64Array&>(*keys);
  MadeTable made(*keys, ChainOrder::kEarliestFirst);
  const auto before = made.Chains(longs);
  PoolVector<int32_t> old_rows(arrow::default_memory_pool());
  EXPECT_FALSE(*made.table->Regroup(&old_rows));
  EXPECT_EQ(made.Chains(longs), before);
}

}  // namespace
}  // namespace reprise::testing
