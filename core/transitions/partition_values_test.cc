#include "transitions/partition_values.h"

#include <arrow/util/base64.h>

#include "transitions/spark_rows.h"

namespace reprise {
namespace {

std::string Base64OfHex(const std::string& hex) {
  const auto bytes = FromHex(hex);
  return arrow::util::base64_encode({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

TEST(PartitionValues, AreOneScalarAField) {
  const auto fields = FieldsOf({"integer", "string", "date"});
  const auto values =
      DecodePartitionValues(Base64OfHex("040000000000000007000000000000000200000020000000"
                                        "00000000000000006162000000000000"),
                            fields)
          .ValueOrDie();
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(values[0]->ToString(), "7");
  EXPECT_EQ(values[1]->ToString(), "ab");
  EXPECT_TRUE(values[1]->type->Equals(*arrow::utf8()));
  EXPECT_FALSE(values[2]->is_valid);
  EXPECT_TRUE(values[2]->type->Equals(*arrow::date32()));
}

TEST(PartitionValues, MayBeNone) {
  EXPECT_TRUE(DecodePartitionValues("", {}).ValueOrDie().empty());
}

TEST(PartitionValues, SayWhatIsWrong) {
  EXPECT_EQ(
      DecodePartitionValues("AAAA", FieldsOf({"integer"})).status().message(),
      "partition values: row 0 has 3 bytes; a row of 1 fields has a multiple of 8 and at least 16");
  const auto bad = DecodePartitionValues("%", FieldsOf({"integer"})).status();
  EXPECT_TRUE(bad.IsInvalid());
  EXPECT_TRUE(bad.message().starts_with("partition values: ")) << bad.message();
}

}  // namespace
}  // namespace reprise
