#include "expressions/xor_shift_random.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace reprise {
namespace {

std::vector<double> FirstNumbers(int64_t seed) {
  XorShiftRandom random(seed);
  std::vector<double> numbers;
  for (int i = 0; i < 4; ++i) numbers.push_back(random.NextDouble());
  return numbers;
}

// What XORShiftRandom(seed).nextDouble() gives on Spark 4.1.
TEST(XorShiftRandomTest, SparksNumbers) {
  EXPECT_EQ(FirstNumbers(42), (std::vector{0.619189370225301, 0.5096018842446481,
                                           0.8325259388871524, 0.26322809041172357}));
  EXPECT_EQ(FirstNumbers(0), (std::vector{0.7604953758285915, 0.5234194256885571,
                                          0.0953472826424725, 0.3163249920547614}));
  EXPECT_EQ(FirstNumbers(-1), (std::vector{0.3030262136082562, 0.32113796770929537,
                                           0.9042833431841623, 0.9119626015545944}));
  EXPECT_EQ(FirstNumbers(std::numeric_limits<int64_t>::max()),
            (std::vector{0.17715881442674208, 0.9077141821545979, 0.08354279996053304,
                         0.12007064558690794}));
}

}  // namespace
}  // namespace reprise
