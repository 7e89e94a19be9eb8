#include "scan/file_location.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

TEST(LocalPathTest, DecodesFileUrisAndKeepsPlainPaths) {
  EXPECT_EQ(*LocalPath("/data/a%20b.parquet"), "/data/a%20b.parquet");
  EXPECT_EQ(*LocalPath("data/x:y.parquet"), "data/x:y.parquet");
  EXPECT_EQ(*LocalPath("file:///data/a%20b.parquet"), "/data/a b.parquet");
  EXPECT_EQ(*LocalPath("file:/data/p=1%252F2/f"), "/data/p=1%2F2/f");
  EXPECT_EQ(*LocalPath("file://localhost/data/f"), "/data/f");
  EXPECT_EQ(*LocalPath("file:///gr%C3%BC%c3%9fe"), "/grüße");
}

TEST(LocalPathTest, RefusesOtherPlaces) {
  EXPECT_EQ(LocalPath("file://other/data/f").status().message(),
            "file URI file://other/data/f names another host; expected file:///path");
  EXPECT_EQ(LocalPath("s3a://bucket/f").status().message(),
            "cannot read s3a://bucket/f without Spark, whose file systems have its bytes: replay "
            "the dump of the operator above the scan, which carries what it has read");
  EXPECT_EQ(LocalPath("file:///a%2").status().message(),
            "file URI /a%2 has a % that two hexadecimal digits don't follow");
}

}  // namespace
}  // namespace reprise
