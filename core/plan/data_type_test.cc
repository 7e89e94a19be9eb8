#include "plan/data_type.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace reprise {
namespace {

TEST(DataType, ParsesSparksNames) {
  EXPECT_EQ(ParseDataType("integer").kind, TypeKind::kInteger);
  EXPECT_EQ(ParseDataType("long").ToString(), "bigint");
  EXPECT_EQ(ParseDataType("decimal(15,2)"), Decimal(15, 2));
  EXPECT_EQ(ParseDataType("decimal(38,-3)"), Decimal(38, -3));
  EXPECT_EQ(ParseDataType("timestamp_ntz").kind, TypeKind::kTimestampNtz);
}

TEST(DataType, NestedTypesReadAsInSpark) {
  const std::string structs = R"({"type":"struct","fields":[)"
                              R"({"name":"x","type":"long","nullable":true,"metadata":{}},)"
                              R"({"name":"l","type":{"type":"array","elementType":"string"}}]})";
  const std::pair<std::string, const char*> kTexts[] = {
      {R"({"type":"array","elementType":"integer","containsNull":true})", "array<int>"},
      {R"({"type":"map","keyType":"string","valueType":)" + structs + "}",
       "map<string,struct<x:bigint,l:array<string>>>"},
      {R"({"type":"udt","class":"x"})", "user-defined type"},
      {R"({"type":"array","elementType":7})", "array<…>"},
      {R"({"type":"struct","fields":[]})", "struct<>"},
      {"interval year to month", "interval year to month"},
      {"{", "{"},
  };
  for (const auto& [json, text] : kTexts) {
    EXPECT_EQ(ParseDataType(json).ToString(), text);
    EXPECT_EQ(JsonName(ParseDataType(json)), json);
  }
  std::string deep = R"("long")";
  for (int i = 0; i < 1000; ++i) deep = R"({"type":"array","elementType":)" + deep + "}";
  EXPECT_LT(ParseDataType(deep).ToString().size(), 300);
  std::string fields;
  for (int i = 0; i < 26; ++i) {
    fields += fmt::format(R"({}{{"name":"c{}","type":"date"}})", i == 0 ? "" : ",", i);
  }
  const std::string wide =
      ParseDataType(R"({"type":"struct","fields":[)" + fields + "]}").ToString();
  EXPECT_TRUE(wide.ends_with(",c24:date,... 1 more fields>")) << wide;
}

TEST(DataType, UnknownNamesAreOther) {
  for (const char* name : {"decimal(15)", "decimal(a,2)", "decimal(15,2", "object", "", "{",
                           R"({"type":"udt","class":"x"})"}) {
    const DataType type = ParseDataType(name);
    EXPECT_EQ(type.kind, TypeKind::kOther) << name;
    EXPECT_EQ(type.text, name);
    EXPECT_EQ(StoredType(type), type);
    EXPECT_TRUE(ToArrow(type).status().IsNotImplemented());
  }
}

TEST(DataType, OtherTypesAreKeptInTheFormOfSparksRows) {
  const std::pair<const char*, TypeKind> kStored[] = {
      {"string collate UNICODE", TypeKind::kBinary},
      {"interval day to second", TypeKind::kLong},
      {"interval hour", TypeKind::kLong},
      {"interval year to month", TypeKind::kInteger},
      {"interval month", TypeKind::kInteger},
      {"interval", TypeKind::kBinary},
      {"time(6)", TypeKind::kLong},
      {"variant", TypeKind::kBinary},
      {R"({"type":"array","elementType":"integer","containsNull":true})", TypeKind::kBinary},
      {R"({"type":"map","keyType":"string","valueType":"long"})", TypeKind::kBinary},
      {R"({"type":"struct","fields":[]})", TypeKind::kBinary},
      {R"({"type":"udt","class":"x","sqlType":"double"})", TypeKind::kDouble},
      {R"({"type":"udt","class":"x","sqlType":{"type":"array"}})", TypeKind::kBinary},
  };
  for (const auto& [name, stored] : kStored) {
    const DataType type = ParseDataType(name);
    EXPECT_TRUE(type.is(TypeKind::kOther)) << name;
    EXPECT_EQ(StoredType(type).kind, stored) << name;
    EXPECT_TRUE((*ToArrow(type))->Equals(**ToArrow({stored}))) << name;
  }
  EXPECT_TRUE(IsCalendarInterval(ParseDataType("interval")));
  EXPECT_FALSE(IsCalendarInterval(ParseDataType("interval day")));
}

TEST(DataType, JsonNameAndArrowRoundTrip) {
  for (const char* name : {"void", "boolean", "byte", "short", "integer", "long", "float", "double",
                           "decimal(18,0)", "decimal(19,19)", "decimal(38,18)", "string", "binary",
                           "date", "timestamp", "timestamp_ntz"}) {
    const DataType type = ParseDataType(name);
    EXPECT_EQ(JsonName(type), name);
    EXPECT_EQ(*FromArrow(**ToArrow(type)), type) << name;
  }
}

TEST(DataType, DecimalsOf18DigitsTravelIn64Bits) {
  EXPECT_EQ((*ToArrow(Decimal(18, 2)))->id(), arrow::Type::DECIMAL64);
  EXPECT_EQ((*ToArrow(Decimal(19, 2)))->id(), arrow::Type::DECIMAL128);
}

TEST(DataType, ForeignArrowTypesAreRefused) {
  const Status status = FromArrow(*arrow::timestamp(arrow::TimeUnit::NANO)).status();
  EXPECT_EQ(status.message(), "Arrow type timestamp[ns] has no Spark type");
}

TEST(DataType, SchemaKeepsNamesAndNullability) {
  auto schema = *ToArrowSchema({{"a", {TypeKind::kLong}, false}, {"b", Decimal(15, 2), true}});
  EXPECT_EQ(schema->ToString(), "a: int64 not null\nb: decimal64(15, 2)");
}

}  // namespace
}  // namespace reprise
