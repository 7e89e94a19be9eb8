#include "replay/debugger_hook.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "replay/fragment_figures.h"

char reprise_shown[65536];

namespace reprise {

namespace {

constexpr int64_t kRowsShown = 100;

struct Shown {
  std::string operator_name;
  int partition = -1;
  int64_t attempt = -1;
  struct Input {
    std::shared_ptr<arrow::RecordBatch> batch;
    int64_t batches = 0;
  };
  std::map<int, Input> inputs;
};

Shown& Now() {
  static Shown shown;
  return shown;
}

// NextBatch is protected: a member function of a derived class may name it.
class NextBatchOf : public Operator {
 public:
  static void* Address(Operator& root) {
    Result<std::optional<Batch>> (Operator::*next)() = &NextBatchOf::NextBatch;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpmf-conversions"
    return reinterpret_cast<void*>(root.*next);
#pragma GCC diagnostic pop
  }
};

// Writes what the debugger shows. As text in memory, which it can read of a process that it may not
// call functions in, and of a core file.
void DescribeShown() {
  const Shown& shown = Now();
  std::string text = fmt::format("{}, partition {}, attempt {}\n", shown.operator_name,
                                 shown.partition, shown.attempt);
  if (shown.inputs.empty())
    text += "no batch has been read yet: `continue` stops at the next call\n";
  for (const auto& [number, input] : shown.inputs) {
    if (input.batch == nullptr) {
      text += fmt::format("input-{}: at its end\n", number);
      continue;
    }
    text += fmt::format("input-{}: batch {}, {} rows\n", number, input.batches - 1,
                        input.batch->num_rows());
    for (int64_t row = 0; row < std::min(kRowsShown, input.batch->num_rows()); ++row) {
      text += fmt::format("  row {}: {}\n", row, RowText(*input.batch, row));
    }
  }
  const size_t size = std::min(text.size(), sizeof(reprise_shown) - 1);
  std::memcpy(reprise_shown, text.data(), size);
  reprise_shown[size] = '\0';
}

constexpr char kGdbProgram[] = R"python(
import gdb

gdb.execute("set pagination off")
gdb.execute("set confirm off")
gdb.execute("set breakpoint pending on")


def describe(rows):
    address = int(gdb.parse_and_eval("(unsigned long) &reprise_shown"))
    memory = gdb.selected_inferior().read_memory(address, 65536).tobytes()
    text = memory.split(b"\0")[0].decode(errors="replace")
    kept = []
    for line in text.splitlines():
        row = line.split(":")[0].removeprefix("  row ")
        if not line.startswith("  row ") or int(row) < rows:
            kept.append(line)
    return "\n".join(kept) + "\n"


# Where the first two arguments are, and `this` of a function whose result is returned in memory.
REGISTERS = {"i386:x86-64": ("$rdi", "$rsi", "$rsi"), "aarch64": ("$x0", "$x1", "$x0")}


class OperatorStarts(gdb.Breakpoint):
    """Not shown to the user: puts the breakpoint at the operator's own function."""

    def __init__(self):
        super().__init__("reprise_operator_starts", internal=True)
        self.silent = True
        self.known = {}

    def stop(self):
        first, second, this = REGISTERS[gdb.selected_frame().architecture().name()]
        address = int(gdb.parse_and_eval("(unsigned long) " + first))
        operator = int(gdb.parse_and_eval("(unsigned long) " + second))
        if address not in self.known:
            self.known[address] = gdb.Breakpoint("*%#x" % address)
        # Of several operators of one kind only that one.
        if self.known[address].is_valid():
            self.known[address].condition = "%s == %#x" % (this, operator)
        return False


class Reprise(gdb.Command):
    """reprise [ROWS]: the partition and the batches that the operator's inputs gave last."""

    def __init__(self):
        super().__init__("reprise", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        rows = int(argument) if argument.strip() else 5
        gdb.write(describe(rows))


OperatorStarts()
Reprise()
gdb.write("Stops where the operator computes its next batch. `reprise` shows partition and batches.\n")
)python";

}  // namespace

void TellDebuggerOfStart(Operator& root, int partition, int64_t attempt) {
  Now() = {root.spec().name, partition, attempt, {}};
  DescribeShown();
  reprise_operator_starts(NextBatchOf::Address(root), &root);
}

void TellDebuggerOfBatch(int input, std::shared_ptr<arrow::RecordBatch> batch) {
  Shown::Input& shown = Now().inputs[input];
  shown.batch = std::move(batch);
  ++shown.batches;
  DescribeShown();
}

std::string GdbProgram() { return kGdbProgram; }

}  // namespace reprise

[[gnu::noinline, gnu::used]] void reprise_operator_starts(void* next_batch, void* self) {
  asm volatile("" : : "r"(next_batch), "r"(self) : "memory");
}
