#include "operators/aggregate/group_table.h"

#include <random>

#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::Encoded;
using testing::Good;
using testing::Values;

std::vector<int32_t> Map(GroupTable* table, const arrow::ArrayVector& keys) {
  std::vector<int32_t> groups(keys[0]->length());
  EXPECT_TRUE(table->Map(keys, keys[0]->length(), groups.data()).ok());
  return groups;
}

std::unique_ptr<GroupTable> Table(const std::vector<std::string>& types) {
  std::vector<DataType> parsed;
  for (const auto& type : types) parsed.push_back(ParseDataType(type));
  return Good(MakeGroupTable(parsed, arrow::default_memory_pool()));
}

void ExpectKeys(const GroupTable& table, const arrow::ArrayVector& expected) {
  const auto keys = Good(table.Keys(0, table.group_count(), arrow::default_memory_pool()));
  ASSERT_EQ(keys.size(), expected.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    EXPECT_TRUE(keys[i]->ValidateFull().ok());
    EXPECT_TRUE(keys[i]->Equals(*expected[i], arrow::EqualOptions::Defaults().nans_equal(true)))
        << keys[i]->ToString();
  }
}

using Groups = std::vector<int32_t>;

TEST(GroupTable, KeysOfEveryType) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"boolean", "[true, null, false, true]"},
      {"byte", "[-1, null, 0, -1]"},
      {"short", "[-1, null, 0, -1]"},
      {"integer", "[-1, null, 0, -1]"},
      {"long", "[-1, null, 0, -1]"},
      {"float", "[-1.5, null, 0, -1.5]"},
      {"double", "[-1.5, null, 0, -1.5]"},
      {"date", "[-1, null, 0, -1]"},
      {"timestamp", "[-1, null, 0, -1]"},
      {"timestamp_ntz", "[-1, null, 0, -1]"},
      {"decimal(10,2)", R"(["-1.00", null, "0.00", "-1.00"])"},
      {"decimal(38,2)", R"(["-1.00", null, "0.00", "-1.00"])"},
      {"string", R"(["x", null, "", "x"])"},
      {"binary", R"(["x", null, "", "x"])"},
  };
  std::vector<std::string> all_types;
  arrow::ArrayVector all_keys, all_expected;
  for (const auto& [type, json] : cases) {
    SCOPED_TRACE(type);
    auto table = Table({type});
    const auto keys = Values(type, json);
    EXPECT_EQ(Map(table.get(), {keys}), (Groups{0, 1, 2, 0}));
    EXPECT_EQ(Map(table.get(), {keys->Slice(1)}), (Groups{1, 2, 0}));
    EXPECT_EQ(table->group_count(), 3);
    ExpectKeys(*table, {keys->Slice(0, 3)});
    all_types.push_back(type);
    all_keys.push_back(keys);
    all_expected.push_back(keys->Slice(0, 3));
  }
  auto table = Table(all_types);
  EXPECT_EQ(Map(table.get(), all_keys), (Groups{0, 1, 2, 0}));
  ExpectKeys(*table, all_expected);
}

TEST(GroupTable, AKeyOfTypeVoidIsOneGroup) {
  for (const std::string other : {"integer", "string"}) {
    auto table = Table({"void", other});
    const auto nulls = Good(arrow::MakeArrayOfNull(arrow::null(), 2));
    const auto keys = Values(other, "[null, null]");
    EXPECT_EQ(Map(table.get(), {nulls, keys}), (Groups{0, 0}));
    ExpectKeys(*table, {nulls->Slice(0, 1), keys->Slice(0, 1)});
  }
}

TEST(GroupTable, ComparesBits) {
  auto table = Table({"double"});
  arrow::DoubleBuilder builder;
  ASSERT_TRUE(builder.AppendValues({0.0, -0.0, std::nan(""), std::nan(""), -0.0}).ok());
  EXPECT_EQ(Map(table.get(), {*builder.Finish()}), (Groups{0, 1, 2, 2, 1}));
}

TEST(GroupTable, TellsStringsOfOneRunApart) {
  auto table = Table({"string", "string", "integer"});
  EXPECT_EQ(Map(table.get(), {Values("string", R"(["ab", "a", "", null, "ab"])"),
                              Values("string", R"(["c", "bc", "abc", "abc", "c"])"),
                              Values("integer", "[1, 1, 1, 1, 1]")}),
            (Groups{0, 1, 2, 3, 0}));
}

TEST(GroupTable, DictionariesMayChangeBetweenBatches) {
  auto table = Table({"string", "string"});
  const auto left = Encoded("[0, 1, null, 0]", R"(["x", "y"])");
  const auto right = Encoded("[0, 0, 0, null]", R"(["p"])");
  EXPECT_EQ(Map(table.get(), {left, right}), (Groups{0, 1, 2, 3}));
  EXPECT_EQ(Map(table.get(), {left, right}), (Groups{0, 1, 2, 3}));
  EXPECT_EQ(Map(table.get(), {left->Slice(1), right->Slice(1)}), (Groups{1, 2, 3}));
  // Other codes for the same strings, a new string, a value twice in the dictionary, plain strings.
  EXPECT_EQ(Map(table.get(), {Encoded("[1, 0, 2, 3]", R"(["y", "x", "z", "y"])"),
                              Encoded("[1, 1, 1, 1]", R"(["q", "p"])")}),
            (Groups{0, 1, 4, 1}));
  EXPECT_EQ(
      Map(table.get(), {Values("string", R"(["y", "w"])"), Values("string", R"(["p", "p"])")}),
      (Groups{1, 5}));
  EXPECT_EQ(Map(table.get(), {left, Values("string", R"(["p", "p", "p", null])")}),
            (Groups{0, 1, 2, 3}));
  ExpectKeys(*table, {Values("string", R"(["x", "y", null, "x", "z", "w"])"),
                      Values("string", R"(["p", "p", "p", null, "p", "p"])")});
}

TEST(GroupTable, OneStringWithAndWithoutDictionaries) {
  auto table = Table({"string"});
  EXPECT_EQ(Map(table.get(), {Encoded("[0, 1, null, 0]", R"(["x", ""])")}), (Groups{0, 1, 2, 0}));
  EXPECT_EQ(Map(table.get(), {Values("string", R"(["", null, "xx", "x"])")}), (Groups{1, 2, 3, 0}));
  EXPECT_EQ(Map(table.get(), {Encoded("[1, 0, 1]", R"(["xx", "y"])")}), (Groups{4, 3, 4}));
  ExpectKeys(*table, {Values("string", R"(["x", "", null, "xx", "y"])")});
  EXPECT_EQ(table->StringBytes(0, 5), 4);
  EXPECT_EQ(table->StringBytes(3, 4), 2);
  auto other = Table({"string"});
  Map(other.get(), {Values("string", R"([null, "y", ""])")});
  EXPECT_EQ(other->HashOf(0), table->HashOf(2));
  EXPECT_EQ(other->HashOf(1), table->HashOf(4));
  EXPECT_EQ(other->HashOf(2), table->HashOf(1));
}

TEST(GroupTable, LargeDictionariesGoTheGeneralWay) {
  std::string dictionary = "[", codes = "[";
  for (int i = 0; i < 300; ++i) {
    dictionary += fmt::format("{}\"s{}\"", i ? "," : "", i % 150);
    codes += fmt::format("{}{}", i ? "," : "", i);
  }
  const auto column = Encoded(codes + "]", dictionary + "]");
  auto table = Table({"string", "string"});  // 301 * 301 combinations are too many
  const Groups groups = Map(table.get(), {column, column});
  for (int i = 0; i < 300; ++i) ASSERT_EQ(groups[i], i % 150);
}

// Against a std::map, over word counts 1, 2 and 3, with and without strings.
TEST(GroupTable, AgreesWithAMapOnRandomKeys) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random(seed);
  for (const std::vector<std::string>& types : {std::vector<std::string>{"integer"},
                                                {"long"},
                                                {"string"},
                                                {"long", "integer", "short"},
                                                {"string", "long"}}) {
    auto table = Table(types);
    std::map<std::string, int32_t> expected;
    for (int batch = 0; batch < 20; ++batch) {
      std::vector<std::string> texts(types.size(), "[");
      std::vector<std::string> row_keys(5000);
      for (size_t row = 0; row < row_keys.size(); ++row) {
        for (size_t key = 0; key < types.size(); ++key) {
          const bool null = random() % 50 == 0;
          const int value = static_cast<int>(random() % 200) - 100;
          const std::string text = null                     ? "null"
                                   : types[key] == "string" ? fmt::format("\"{}\"", value)
                                                            : std::to_string(value);
          texts[key] += (row ? "," : "") + text;
          row_keys[row] += text + "|";
        }
      }
      arrow::ArrayVector keys;
      for (size_t key = 0; key < types.size(); ++key) {
        keys.push_back(Values(types[key], texts[key] + "]"));
      }
      const Groups groups = Map(table.get(), keys);
      for (size_t row = 0; row < row_keys.size(); ++row) {
        const auto [found, added] =
            expected.emplace(row_keys[row], static_cast<int32_t>(expected.size()));
        ASSERT_EQ(groups[row], found->second) << row_keys[row];
      }
    }
    EXPECT_EQ(table->group_count(), static_cast<int32_t>(expected.size()));
  }
}

}  // namespace
}  // namespace reprise
