// What tests ask the core, and its answer.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "plan/sample_plans.h"
#include "rules/planner.h"

namespace reprise::sample {

inline const Json kA = Column("a", 1, "integer");
inline const Json kB = Column("b", 2, "decimal(15,2)");

inline Json LessThanFive() {
  return Expression("LessThan", "boolean", {kA, Literal(5, "integer")});
}

inline Json ScanOfAB() {
  return ParquetScan("file:/data/t", {{"a", 1, "integer"}, {"b", 2, "decimal(15,2)"}},
                     {LessThanFive()});
}

inline Json Request(const std::string& pass, Json conf = Json::object()) {
  return {{"conf", std::move(conf)}, {"pass", pass}, {"query", "q1"}};
}

inline Json PlanOf(const Json& document, const Json& request) {
  const auto answer = Plan(document.dump(), request.dump());
  EXPECT_TRUE(answer.ok()) << answer.status();
  return answer.ok() ? Json::parse(*answer) : Json();
}

}  // namespace reprise::sample
