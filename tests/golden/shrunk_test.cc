// RepriseProject, LORE id 5, Project#0, fingerprint 0123456789abcdef: what reprise shrink has left of a dump.
// It fails as the dump does. Among the core's own tests, as core/statements/…_test.cc, it is
// built and run with them.
#include "statements/task_testing.h"

namespace reprise::testing {
namespace {

using std::string_view_literals::operator""sv;

constexpr char kOperator5[] = R"json(
{
  "arguments": {
    "expressions": [
      {
        "arguments": [
          {
            "attributes": {
              "value": 100
            },
            "function": "literal",
            "nullable": false,
            "type": "long"
          },
          {
            "attributes": {
              "index": 0
            },
            "function": "column",
            "nullable": true,
            "type": "long"
          }
        ],
        "attributes": {
          "ansi": true
        },
        "function": "integral_divide",
        "nullable": true,
        "type": "long"
      },
      {
        "attributes": {
          "index": 1
        },
        "function": "column",
        "nullable": true,
        "type": "string"
      }
    ]
  },
  "fingerprint": "0123456789abcdef",
  "inputs": [
    [
      {
        "name": "a",
        "nullable": true,
        "type": "long"
      },
      {
        "name": "b",
        "nullable": true,
        "type": "string"
      }
    ]
  ],
  "kind": "project",
  "lore_id": 5,
  "name": "RepriseProject",
  "occurrence": "Project#0",
  "output": [
    {
      "name": "q",
      "nullable": true,
      "type": "long"
    },
    {
      "name": "b",
      "nullable": true,
      "type": "string"
    }
  ]
}
)json";

TEST(LoreId5, DoesNotFail) {
  DumpedTask task(kOperator5, 3);
  task.Give(0, 2, {
      Values("long", R"json([7, 0])json"),
      Values("string", R"json(["it's", null])json")});
  const auto output = task.Run();
  ASSERT_TRUE(output.ok()) << output.status().message();
}

}  // namespace
}  // namespace reprise::testing
