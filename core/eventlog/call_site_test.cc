#include "eventlog/call_site.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

TEST(CallSiteInAnyRun, HasNoSessionOfSparkConnectAndOneLine) {
  EXPECT_EQ(CallSiteInAnyRun("Spark Connect - session_id: \"fe025cec-0b20\"\nplan {\n  root {\n    "
                             "common {\n      plan_id: 3\n    }\n    sql {\n      query:..."),
            "Spark Connect - plan { root { common { plan_id: 3 } sql { query:...");
}

TEST(CallSiteInAnyRun, TakesASessionThatIsCutOff) {
  EXPECT_EQ(CallSiteInAnyRun("Spark Connect - session_id: \"fe025c..."), "Spark Connect - ");
}

TEST(CallSiteInAnyRun, IsWhatOthersAre) {
  EXPECT_EQ(CallSiteInAnyRun("map at <console>:12"), "map at <console>:12");
  EXPECT_EQ(CallSiteInAnyRun("select  1\nfrom t"), "select  1\nfrom t");
}

}  // namespace
}  // namespace reprise
