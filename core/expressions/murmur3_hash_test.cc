// What hash() of Spark 4.1.3 gives.
#include "expressions/murmur3_hash.h"

#include <arrow/json/from_string.h>
#include <gtest/gtest.h>

#include "expressions/expression.h"

namespace reprise {
namespace {

template <typename T>
T Good(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.status().ToString());
  return *std::move(result);
}

std::shared_ptr<arrow::Array> Values(const std::string& type, const std::string& json) {
  return Good(arrow::json::ArrayFromJSONString(Good(ToArrow(ParseDataType(type))), json));
}

int32_t HashOf(const arrow::Array& column, int32_t seed = kMurmur3Seed) {
  int32_t hash = seed;
  const Status status = AddMurmur3(column, nullptr, {&hash, 1});
  EXPECT_TRUE(status.ok()) << status;
  return hash;
}

struct Golden {
  std::string type;
  std::string json;
  int32_t hash;          // hash(value)
  int32_t hash_between;  // hash(7, value, 'x')
};

const std::vector<Golden> kGolden = {
    {"boolean", "[true]", -559580957, 1554562009},
    {"boolean", "[false]", 933211791, -24514513},
    {"boolean", "[null]", 42, -1387796086},
    {"byte", "[1]", -559580957, 1554562009},
    {"byte", "[-128]", 1110053733, 1000901374},
    {"short", "[32767]", 1249274084, -400926988},
    {"short", "[-1]", -1604776387, 219919987},
    {"integer", "[0]", 933211791, -24514513},
    {"integer", "[1]", -559580957, 1554562009},
    {"integer", "[-1]", -1604776387, 219919987},
    {"integer", "[2147483647]", 133916647, 2042825175},
    {"integer", "[-2147483648]", 723455942, 1101645021},
    {"long", "[0]", -1670924195, 17920140},
    {"long", "[1]", -1712319331, 670143287},
    {"long", "[-1]", -939490007, -386809413},
    {"long", "[9223372036854775807]", -1604625029, -499217803},
    {"long", "[-9223372036854775808]", -853646085, 762788436},
    {"float", "[1.5]", -221251528, 662147527},
    {"float", "[-0.0]", 933211791, -24514513},
    {"float", "[0.0]", 933211791, -24514513},
    {"float", "[NaN]", -349261430, -1702469141},
    {"float", "[Inf]", 2026854605, 1567763609},
    {"float", "[-Inf]", 427440766, -1525182853},
    {"double", "[1.5]", 1290763749, -689498742},
    {"double", "[-0.0]", -1670924195, 17920140},
    {"double", "[0.0]", -1670924195, 17920140},
    {"double", "[NaN]", -1281358385, -1346289877},
    {"double", "[Inf]", 833680482, 1982698758},
    {"double", "[-1.5]", 2099784398, -38225076},
    {"decimal(15,2)", R"(["123.45"])", 1416086240, 508737280},
    {"decimal(15,2)", R"(["-123.45"])", -1959512858, 1330173771},
    {"decimal(18,0)", R"(["999999999999999999"])", -1795328666, 1277715899},
    {"decimal(25,2)", R"(["123.45"])", 589679666, 1248919507},
    {"decimal(25,2)", R"(["-123.45"])", 265069572, 40756479},
    {"decimal(25,2)", R"(["0.00"])", -783713497, -281450630},
    {"decimal(38,0)", R"(["-1"])", 1398487324, -793175097},
    {"decimal(38,0)", R"(["127"])", 1185089389, -1782703733},
    {"decimal(38,0)", R"(["128"])", -544401882, -1433139217},
    {"decimal(38,0)", R"(["-128"])", 775851899, 200883434},
    {"decimal(38,0)", R"(["-129"])", -771458971, 558369858},
    {"decimal(38,0)", R"(["99999999999999999999999999999999999999"])", -817514053, 1612867800},
    {"decimal(38,0)", R"(["-99999999999999999999999999999999999999"])", 1400911110, 1139842615},
    {"decimal(38,0)", R"(["12345678901234567890123"])", -434902821, 1754275909},
    {"string", R"([""])", 142593372, 314519261},
    {"string", R"(["a"])", 1485273170, 121221525},
    {"string", R"(["ab"])", -97053317, -383765326},
    {"string", R"(["abc"])", 1322437556, 1778422088},
    {"string", R"(["abcd"])", -396302900, 1536488548},
    {"string", R"(["abcde"])", 814637928, 620147423},
    {"string", R"(["Spark SQL engine"])", 1204668159, -1527869243},
    {"string", R"(["ä€😀"])", 1702209385, 1819017739},
    {"date", "[0]", 933211791, -24514513},
    {"date", "[20778]", -503145629, 1004219220},
    {"date", "[-719162]", -1147107224, -2141140504},
    {"timestamp", "[0]", -1670924195, 17920140},
    {"timestamp", "[1795245481123456]", 651192847, 1578523430},
    {"timestamp_ntz", "[1795245481123456]", 651192847, 1578523430},
};

TEST(Murmur3Hash, EqualsSparks) {
  for (const Golden& golden : kGolden) {
    SCOPED_TRACE(golden.type + " " + golden.json);
    const auto column = Values(golden.type, golden.json);
    EXPECT_EQ(HashOf(*column), golden.hash);
    const int32_t seed = HashOf(*column, HashOf(*Values("integer", "[7]")));
    EXPECT_EQ(HashOf(*Values("string", R"(["x"])"), seed), golden.hash_between);
  }
}

TEST(Murmur3Hash, EqualsSparksForBinary) {
  const auto hash = [](std::string_view bytes) {
    arrow::BinaryBuilder builder;
    EXPECT_TRUE(builder.Append(bytes).ok());
    return HashOf(*Good(builder.Finish()));
  };
  EXPECT_EQ(hash(""), 142593372);
  EXPECT_EQ(hash("\x80"), 775851899);
  EXPECT_EQ(hash(std::string_view("\xff\x00\xff\x80", 4)), -1585604258);
  EXPECT_EQ(hash("\x01\x02\x03\x04\x05\xff"), -2048396134);
}

TEST(Murmur3Hash, NullsLeaveTheSeedAndOffsetsCount) {
  for (const std::string type : {"boolean", "long", "double", "decimal(30,0)", "string", "void"}) {
    EXPECT_EQ(HashOf(*Values(type, "[null]")), 42) << type;
  }
  const auto column = Values("integer", "[5, null, 1, 0]")->Slice(1);
  std::vector<int32_t> hashes(3, kMurmur3Seed);
  ASSERT_TRUE(AddMurmur3(*column, nullptr, hashes).ok());
  EXPECT_EQ(hashes, (std::vector<int32_t>{42, -559580957, 933211791}));
  const auto encoded = Good(arrow::DictionaryArray::FromArrays(
      arrow::dictionary(arrow::int32(), arrow::utf8()), Values("integer", "[0, 1, null]"),
      Values("string", R"(["abc", "a"])")));
  hashes.assign(3, kMurmur3Seed);
  ASSERT_TRUE(AddMurmur3(*encoded, nullptr, hashes).ok());
  EXPECT_EQ(hashes, (std::vector<int32_t>{1322437556, 1485273170, 42}));
}

TEST(Murmur3Hash, IsAnExpression) {
  const std::vector<Field> fields = {{"a", {TypeKind::kInteger}, true},
                                     {"s", {TypeKind::kString}, true}};
  ExpressionSpec spec{"murmur3_hash",
                      {TypeKind::kInteger},
                      false,
                      {{"seed", 42}},
                      {{"column", {TypeKind::kInteger}, true, {{"index", 0}}, {}},
                       {"column", {TypeKind::kString}, true, {{"index", 1}}, {}}}};
  const auto expression = Good(MakeExpression(spec, fields));
  Batch batch{Good(ToArrowSchema(fields)),
              {Values("integer", "[1, 7]"), Values("string", R"([null, "x"])")},
              2,
              nullptr};
  EvalInput input(batch, arrow::default_memory_pool());
  const auto hashes = Good(EvaluateToArray(*expression, input));
  // hash(7, null, 'x') is hash(7, 'x').
  EXPECT_EQ(static_cast<const arrow::Int32Array&>(*hashes).Value(1), -1387796086);
  EXPECT_EQ(static_cast<const arrow::Int32Array&>(*hashes).Value(0), -559580957);
  spec.attributes.clear();
  EXPECT_EQ(MakeExpression(spec, fields).status().message(),
            "murmur3_hash has no integer attribute \"seed\"");
}

}  // namespace
}  // namespace reprise
