// Joins of every type over random rows of every type of key, beside a comparison of all pairs.
#include "operators/join/join_reference.h"

namespace reprise::testing {
namespace {

void CheckAllTypes(const std::vector<KeyPool>& pools, uint32_t seed) {
  Random random(seed);
  const int rows_max = Below(&random, 2) == 0 ? 8 : 60;
  const Side left = RandomSide(pools, rows_max, "a", &random);
  const Side right = RandomSide(pools, rows_max, "b", &random);
  TaskContext context;
  context.batch_rows_target = Below(&random, 2) == 0 ? 7 : 1000;
  const int keys = static_cast<int>(pools.size());
  std::vector<Field> all = left.fields;
  all.insert(all.end(), right.fields.begin(), right.fields.end());
  const auto less = Call("less", "boolean", {ColumnOf(all, keys), ColumnOf(all, 2 * keys + 1)});
  for (const std::string type : {"inner", "left", "right", "full", "semi", "anti", "existence"}) {
    for (const std::string build : {"left", "right"}) {
      const bool is_membership = type == "semi" || type == "anti" || type == "existence";
      if (is_membership && build == "left") continue;
      for (const bool condition : {false, true}) {
        SCOPED_TRACE(fmt::format("seed {}, {} join, build {}, condition {}, key {}", seed, type,
                                 build, condition, pools.empty() ? "none" : pools[0].type));
        const OperatorSpec spec = JoinSpecOf(type, build, left.fields, right.fields, keys,
                                             condition ? std::optional(less) : std::nullopt);
        const auto rows = Good(RunJoin(spec, left.batches, right.batches, context));
        const int other = type == "existence" ? keys + 1 : is_membership ? -1 : 2 * keys + 1;
        EXPECT_EQ(Found(*rows, keys, other), Expected(type, left, right, condition));
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(JoinRandom, OneKeyOfEveryType) {
  for (const KeyPool& pool : KeyPools()) {
    for (uint32_t seed = 1; seed <= 12; ++seed) CheckAllTypes({pool}, seed);
  }
}

TEST(JoinRandom, SeveralKeys) {
  const auto pools = KeyPools();
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    std::vector<KeyPool> keys;
    const int count = 2 + Below(&random, 3);
    for (int i = 0; i < count; ++i) {
      keys.push_back(pools[static_cast<size_t>(Below(&random, static_cast<int>(pools.size())))]);
    }
    CheckAllTypes(keys, seed);
  }
}

TEST(JoinRandom, WithoutKeys) {
  for (uint32_t seed = 1; seed <= 20; ++seed) CheckAllTypes({}, seed);
}

}  // namespace
}  // namespace reprise::testing
