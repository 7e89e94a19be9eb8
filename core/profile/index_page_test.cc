// index.html lists stages, executors, samples by what they are of, and links to what there is.
#include "profile/index_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace reprise {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(IndexPage, LinksWhatThereIs) {
  auto index = nlohmann::json::parse(R"({"application":"local-1","name":"<b>","isOver":false,
      "stages":[{"stage":3,"attempt":1,"name":"count","tookMs":700,"tasks":2,"unprofiledTasks":1,"wallMs":1500,"cpuMs":20,
        "slow":"slow.html","executors":[
          {"executor":"0","page":"a.html","isLast":true,"isDropped":false,"tasks":1,"wallMs":1,
           "cpuMs":2,"cpuSamples":3,"wallSamples":4,"otherSamples":{}},
          {"executor":"1","page":null,"isLast":false,"isDropped":true,"tasks":1,"wallMs":1,
           "cpuMs":2,"cpuSamples":3,"wallSamples":4,"otherSamples":{}},
          {"executor":"2","page":null,"isLast":false,"isDropped":false,"tasks":1,"wallMs":1,
           "cpuMs":2,"cpuSamples":0,"wallSamples":0,"otherSamples":{}}],
        "operators":[{"loreId":5,"name":"RepriseFilter [loreId=5]","samples":7}]}],
      "others":[{"executor":"0","page":"o.html","cpuSamples":1,"wallSamples":2,"otherSamples":{}}],
      "applications":[{"application":"local-0","page":"app-local-0-index.html"}],
      "messages":["said"]})");
  const std::string page = IndexPage(index);
  EXPECT_THAT(page, HasSubstr("Stage 3, attempt 1: count"));
  EXPECT_THAT(page, HasSubstr("2 tasks, 1.50 s of wall time, 20 ms of processor time"));
  EXPECT_THAT(page, HasSubstr("1 more task ran on executors that are not profiled"));
  EXPECT_THAT(page, HasSubstr("<a href=\"#stage-3-1\">3.1</a></td><td>count</td>"));
  EXPECT_THAT(page, HasSubstr(">700 ms</td><td class=number data-value=2>2</td>"));
  EXPECT_THAT(page, HasSubstr("<a href=\"a.html\">flame graph</a>"));
  EXPECT_THAT(page, HasSubstr("<a href=\"slow.html\">slow tasks against median tasks</a>"));
  EXPECT_THAT(page, HasSubstr("deleted, to keep to maxBytes"));
  EXPECT_THAT(page, HasSubstr("RepriseFilter [loreId=5]: 7 samples"));
  EXPECT_THAT(page, HasSubstr("<td>2</td><td>not yet</td>"));
  EXPECT_THAT(page, HasSubstr("<a href=\"app-local-0-index.html\">local-0</a>"));
  EXPECT_THAT(page, HasSubstr("&lt;b&gt;; the application runs on"));
  index["isOver"] = true;
  EXPECT_THAT(IndexPage(index),
              HasSubstr("<td>2</td><td>none: the executor ended before it wrote one</td>"));
}

// Those of any other event than the processor's time and the clock have a column of their own.
TEST(IndexPage, HasAColumnForEachEvent) {
  auto index = nlohmann::json::parse(R"({"application":"local-1","name":"a","isOver":true,
      "stages":[{"stage":3,"attempt":1,"name":"count","tookMs":null,"tasks":2,"unprofiledTasks":0,"wallMs":1500,"cpuMs":20,
        "slow":null,"operators":[],"executors":[
          {"executor":"0","page":"a.html","isLast":true,"isDropped":false,"tasks":1,"wallMs":1,
           "cpuMs":2,"cpuSamples":0,"wallSamples":4,"otherSamples":{"page-faults":7}},
          {"executor":"1","page":"b.html","isLast":true,"isDropped":false,"tasks":1,"wallMs":1,
           "cpuMs":2,"cpuSamples":0,"wallSamples":5,"otherSamples":{"lock":8}}]}],
      "others":[{"executor":"0","page":"o.html","cpuSamples":0,"wallSamples":0,
                 "otherSamples":{"page-faults":9}}],
      "applications":[],"messages":[]})");
  const std::string page = IndexPage(index);
  EXPECT_THAT(page, HasSubstr("transparent 0%)\">runs</td>"));
  EXPECT_THAT(page, Not(HasSubstr("not profiled")));
  EXPECT_THAT(page, HasSubstr("<th class=number>processor time</th>"
                              "<th class=number>wall-clock samples</th>"
                              "<th class=number>lock samples</th>"
                              "<th class=number>page-faults samples</th></tr>"));
  EXPECT_THAT(page, HasSubstr("<td class=number>2 ms</td><td class=number>4</td>"
                              "<td class=number>0</td><td class=number>7</td></tr>"));
  EXPECT_THAT(page, HasSubstr("<td class=number>2 ms</td><td class=number>5</td>"
                              "<td class=number>8</td><td class=number>0</td></tr>"));
  EXPECT_THAT(page, HasSubstr("<th>page</th><th class=number>page-faults samples</th></tr>"));
  EXPECT_THAT(page, HasSubstr("flame graph</a></td><td class=number>9</td></tr>"));
  EXPECT_THAT(page, Not(HasSubstr("CPU samples")));
  auto& other = index["others"][0]["otherSamples"];
  other.clear();  // a short one may have none
  EXPECT_THAT(IndexPage(index), HasSubstr("<th>page</th><th class=number>wall-clock samples</th>"
                                          "<th class=number>lock samples</th>"));
  other["page-faults"] = 9;
  for (auto& row : index["stages"][0]["executors"]) row["otherSamples"].clear();
  EXPECT_THAT(IndexPage(index), HasSubstr("<th class=number>CPU samples</th>"
                                          "<th class=number>wall-clock samples</th></tr>"));
}

}  // namespace
}  // namespace reprise
