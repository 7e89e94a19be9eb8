#include "sql/sql_statements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reprise {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SqlStatements, EndAtSemicolons) {
  EXPECT_THAT(SqlStatements("SET a=b;\n\nSELECT 1 ;; \n SELECT 2\n"),
              ElementsAre("SET a=b", "SELECT 1", "SELECT 2"));
  EXPECT_THAT(SqlStatements(""), IsEmpty());
  EXPECT_THAT(SqlStatements(" ;\n-- nothing;\n/* nor; here */ ;"), IsEmpty());
}

TEST(SqlStatements, DoNotEndWithinQuotesAndComments) {
  EXPECT_THAT(SqlStatements(R"(SELECT 'a;''b', "c;\";", `d;` -- e;
FROM t; SELECT /* ; /* ; */ ; */ 2 - -1)"),
              ElementsAre(R"(SELECT 'a;''b', "c;\";", `d;` -- e;
FROM t)",
                          "SELECT /* ; /* ; */ ; */ 2 - -1"));
  EXPECT_THAT(SqlStatements("SELECT 'open;"), ElementsAre("SELECT 'open;"));
  EXPECT_THAT(SqlStatements("SELECT 1 /* open;"), ElementsAre("SELECT 1 /* open;"));
}

}  // namespace
}  // namespace reprise
