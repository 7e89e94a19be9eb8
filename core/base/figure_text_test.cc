#include "base/figure_text.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

TEST(FigureText, ReadsWell) {
  EXPECT_EQ(Thousands(0), "0");
  EXPECT_EQ(Thousands(999), "999");
  EXPECT_EQ(Thousands(-1234567), "-1,234,567");
  EXPECT_EQ(ByteText(999), "999 B");
  EXPECT_EQ(ByteText(1234), "1.2 kB");
  EXPECT_EQ(ByteText(999'999), "1.0 MB");
  EXPECT_EQ(DurationText(42'000), "0.042 ms");
  EXPECT_EQ(DurationText(12'340'000), "12.3 ms");
  EXPECT_EQ(DurationText(4'560'000'000), "4.56 s");
  EXPECT_EQ(MillisecondText(195), "195 ms");
  EXPECT_EQ(MillisecondText(1570), "1.57 s");
  EXPECT_EQ(Counted(1, "row", "rows"), "1 row");
  EXPECT_EQ(Counted(2000, "row", "rows"), "2,000 rows");
}

}  // namespace
}  // namespace reprise
