#include "transitions/readable_rows.h"

#include <arrow/array/array_dict.h>
#include <arrow/builder.h>
#include <gtest/gtest.h>

namespace reprise {
namespace {

TEST(ReadableRows, HaveTheTypesOfTheirSchema) {
  const std::vector<Field> fields = {{"s", {TypeKind::kString}}};
  arrow::StringDictionary32Builder builder;
  for (const char* text : {"b", "a", "b"}) ASSERT_TRUE(builder.Append(text).ok());
  const auto encoded = builder.Finish().ValueOrDie();
  const auto records =
      arrow::RecordBatch::Make(arrow::schema({arrow::field("s", encoded->type())}), 3, {encoded});
  const auto schema = ReadableSchema(fields).ValueOrDie();
  const auto rows = ReadableRows(*records, fields, schema).ValueOrDie();
  ASSERT_TRUE(rows->ValidateFull().ok());
  EXPECT_TRUE(rows->column(0)->type()->Equals(*arrow::utf8()));
  EXPECT_EQ(rows->column(0)->GetScalar(1).ValueOrDie()->ToString(), "a");
}

}  // namespace
}  // namespace reprise
