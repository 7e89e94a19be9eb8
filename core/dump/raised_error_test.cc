#include "dump/raised_error.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

RaisedError Of(std::string condition, std::map<std::string, std::string> parameters,
               std::string text) {
  return {std::move(condition), std::move(parameters), std::move(text), std::nullopt};
}

bool Same(const RaisedError& a, const RaisedError& b) {
  EXPECT_EQ(a.IsAs(b), b.IsAs(a)) << a.text << " / " << b.text;
  return a.IsAs(b);
}

TEST(RaisedError, IsTheSameWithTheSameConditionAndParameters) {
  const RaisedError ours = Of("CAST_INVALID_INPUT", {{"value", "'x'"}}, "RepriseProject: 'x'!");
  EXPECT_TRUE(Same(ours, Of("CAST_INVALID_INPUT", {{"value", "'x'"}}, "The value 'x' of …")));
  EXPECT_FALSE(Same(ours, Of("CAST_INVALID_INPUT", {{"value", "'y'"}}, "The value 'y' of …")));
  EXPECT_FALSE(Same(ours, Of("CAST_OVERFLOW", {{"value", "'x'"}}, "RepriseProject: 'x'!")));
  EXPECT_FALSE(Same(ours, Of("", {}, "RepriseProject: 'x'!")));
  // Who tells no parameters tells them in the text.
  EXPECT_TRUE(Same(ours, Of("CAST_INVALID_INPUT", {}, "The value 'x' of …")));
  EXPECT_FALSE(Same(ours, Of("CAST_INVALID_INPUT", {}, "The value 'y' of …")));
}

TEST(RaisedError, WithoutConditionTextsAreComparedWithoutNamesAndAddresses) {
  const RaisedError ours = Of("", {}, "RepriseProject (LORE id 5): f$$Lambda$12/0x00aa failed");
  EXPECT_TRUE(Same(ours, Of("", {}, "RepriseProject (LORE id 7): f$$Lambda$9/0x00bb failed")));
  EXPECT_FALSE(Same(ours, Of("", {}, "RepriseProject (LORE id 5): f$$Lambda$12/0x00aa stopped")));
}

TEST(RaisedError, OfPythonsTheLastLineCounts) {
  const std::string frames =
      "Traceback (most recent call last):\n  File \"/a/worker.py\", line 7\n";
  const std::string others =
      "Traceback (most recent call last):\n  File \"/b/worker.py\", line 9\n";
  const std::string error = "ZeroDivisionError: division by zero\n";
  EXPECT_TRUE(Same(Of("", {}, frames + error), Of("", {}, others + error)));
  EXPECT_FALSE(Same(Of("", {}, frames + error), Of("", {}, frames + "KeyError: 7\n")));
  EXPECT_EQ(Of("", {}, frames + error).Summary(), "ZeroDivisionError: division by zero");
}

TEST(RaisedError, OfPythonsTheLineBeforeTheStateCountsSinceSpark42) {
  const auto raised = [](const std::string& error) {
    return Of("PYTHON_EXCEPTION", {},
              "[PYTHON_EXCEPTION] An exception was thrown: Traceback (most recent call last):\n"
              "  File \"/a.py\", line 7\n" +
                  error + "\n SQLSTATE: 38000");
  };
  EXPECT_TRUE(Same(raised("KeyError: 7"), raised("KeyError: 7")));
  EXPECT_FALSE(Same(raised("KeyError: 7"), raised("KeyError: 8")));
  EXPECT_EQ(raised("KeyError: 7").Summary(), "KeyError: 7");
}

TEST(RaisedError, OfOneKindAreThoseOfAConditionOrWhoseTextsDifferInValuesAlone) {
  EXPECT_EQ(Of("CAST_OVERFLOW", {{"value", "5L"}}, "the value 5L of bigint").Kind(),
            Of("CAST_OVERFLOW", {{"value", "7S"}}, "the value 7S of smallint").Kind());
  EXPECT_NE(Of("CAST_OVERFLOW", {}, "a [DIVIDE_BY_ZERO] of another's").Kind(),
            Of("DIVIDE_BY_ZERO", {}, "by zero").Kind());
  const std::string begin = "Traceback (most recent call last):\n  File \"/a.py\", line ";
  EXPECT_EQ(Of("", {}, begin + "7, in f\nValueError: no good: 277").Kind(),
            Of("", {}, begin + "9, in main\nValueError: no good: 3").Kind());
  EXPECT_NE(Of("", {}, begin + "7, in f\nValueError: no good: 277").Kind(),
            Of("", {}, begin + "7, in f\nKeyError: 277").Kind());
  EXPECT_EQ(RaisedError().Kind(), "");
}

TEST(RaisedError, HiddenTextsLeaveTheCondition) {
  const RaisedError secret = Of("CAST_INVALID_INPUT", {{"value", "SECRET"}}, "SECRET");
  const RaisedError hidden = WithoutValues(secret);
  EXPECT_EQ(ToJson(hidden).dump(), R"({"condition":"CAST_INVALID_INPUT"})");
  EXPECT_TRUE(Same(hidden, secret));
  EXPECT_FALSE(Same(WithoutValues(Of("", {}, "SECRET")), Of("", {}, "SECRET")));
}

TEST(RaisedError, IsReadAsItWasWritten) {
  RaisedError error = Of("DIVIDE_BY_ZERO", {{"config", "c"}}, "by zero");
  error.here = false;
  const RaisedError read = RaisedErrorFromJson(ToJson(error), "line 1").ValueOrDie();
  EXPECT_EQ(ToJson(read), ToJson(error));
  EXPECT_EQ(RaisedErrorFromJson({{"here", 1}}, "line 1").status().message(),
            "line 1: member \"here\" must be a boolean, found number");
  EXPECT_EQ(RaisedErrorFromJson({{"parameters", {{"a", 1}}}}, "line 1").status().message(),
            "line 1: member \"a\" must be a string, found number");
  EXPECT_TRUE(RaisedErrorFromText("{").empty());
}

TEST(RaisedError, GoesThroughAStatus) {
  const RaisedError error = Of("DIVIDE_BY_ZERO", {}, "by zero");
  EXPECT_EQ(RaisedErrorOf(RaisedStatus(error, "for people")).text, "by zero");
  EXPECT_EQ(RaisedErrorOf(SparkError("DIVIDE_BY_ZERO", {}, "core")).condition, "DIVIDE_BY_ZERO");
}

}  // namespace
}  // namespace reprise
