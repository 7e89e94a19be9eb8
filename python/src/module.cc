// reprise._core: dumps and replays for Python. Thin: reprise/dumps.py gives it its face. It keeps
// to Python's limited API, so that one module does for all versions from 3.9 on.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <memory>
#include <optional>
#include <string>

#include "arguments.h"
#include "arrow_stream.h"
#include "dump/reader.h"
#include "raise.h"
#include "recorded_rows.h"
#include "replay/description.h"
#include "replay/replay.h"
#include "replay/report_json.h"
#include "transitions/readable_rows.h"

namespace reprise {

namespace {

PyObject* error_class = nullptr;  // lives as long as the interpreter

using DumpPointer = std::shared_ptr<OperatorDump>;
constexpr char kOperator[] = "reprise.operator";

// Calls what may throw; Python gets its errors.
template <typename Function>
PyObject* Guarded(const Function& function) {
  try {
    return function();
  } catch (...) {
    ToPythonError(error_class);
    return nullptr;
  }
}

PyObject* OrThrow(PyObject* object) {
  if (object == nullptr) throw PythonError();
  return object;
}

// What is not UTF-8, as of a path, is replaced: it is only shown.
PyObject* JsonText(const nlohmann::json& json) {
  const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return OrThrow(PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
}

template <typename Integers>
PyObject* ToList(const Integers& integers) {
  PyObject* list = OrThrow(PyList_New(0));
  for (const auto integer : integers) {
    PyObject* number = PyLong_FromLongLong(integer);
    const int failed = number == nullptr ? -1 : PyList_Append(list, number);
    Py_DecRef(number);
    if (failed == 0) continue;
    Py_DecRef(list);
    throw PythonError();
  }
  return list;
}

Decimals DecimalsOf(int are_wide) { return are_wide != 0 ? Decimals::kWide : Decimals::kAsTheyAre; }

const DumpPointer& DumpOf(PyObject* capsule) {
  return *static_cast<DumpPointer*>(PyCapsule_GetPointer(capsule, kOperator));
}

// For "O&": an operator that open_operator gave.
int TakeDump(PyObject* value, void* to) {
  if (PyCapsule_IsValid(value, kOperator) == 0) {
    PyErr_SetString(PyExc_TypeError, "expected an operator of open_operator");
    return 0;
  }
  *static_cast<DumpPointer*>(to) = DumpOf(value);
  return 1;
}

PyObject* Operators(PyObject*, PyObject* path) {
  return Guarded([&] {
    std::string folder;
    if (TakePath(path, &folder) == 0) throw PythonError();
    return ToList(ValueOrRaise(ListOperators(folder)));
  });
}

PyObject* OpenOperator(PyObject*, PyObject* path) {
  return Guarded([&] {
    std::string folder;
    if (TakePath(path, &folder) == 0) throw PythonError();
    auto dump = std::make_unique<DumpPointer>(
        std::make_shared<OperatorDump>(ValueOrRaise(OperatorDump::Open(folder))));
    PyObject* capsule = OrThrow(PyCapsule_New(dump.get(), kOperator, [](PyObject* self) {
      delete static_cast<DumpPointer*>(PyCapsule_GetPointer(self, kOperator));
    }));
    dump.release();
    return capsule;
  });
}

PyObject* DescribeOperator(PyObject*, PyObject* self) {
  return Guarded([&] {
    DumpPointer dump;
    if (TakeDump(self, &dump) == 0) throw PythonError();
    return JsonText(Describe(*dump));
  });
}

PyObject* PartitionsOfOperator(PyObject*, PyObject* self) {
  return Guarded([&] {
    DumpPointer dump;
    if (TakeDump(self, &dump) == 0) throw PythonError();
    std::vector<int> partitions;
    for (const AttemptName& name : dump->attempts()) {
      if (!name.attempt) partitions.push_back(name.partition);
    }
    return ToList(partitions);
  });
}

PyObject* Rows(PyObject*, PyObject* arguments) {
  return Guarded([&] {
    DumpPointer dump;
    RecordChoice choice;
    int truncated = 0;
    int wide_decimals = 0;
    if (PyArg_ParseTuple(arguments, "O&iO&O&pp", TakeDump, &dump, &choice.stream, TakePartition,
                         &choice.partition, TakeInteger, &choice.attempt, &truncated,
                         &wide_decimals) == 0) {
      throw PythonError();
    }
    choice.truncated = truncated != 0;
    return ToStreamCapsule(ValueOrRaise(ReadRecordedRows(dump, choice)), DecimalsOf(wide_decimals));
  });
}

// Ctrl-C, or what a signal handler of the user's raises, ends a replay between two batches.
class Interruption {
 public:
  Status Look() {
    const PyGILState_STATE python = PyGILState_Ensure();
    was_raised_ = PyErr_CheckSignals() != 0;
    if (was_raised_) PyErr_Fetch(&type_, &value_, &traceback_);
    PyGILState_Release(python);
    return was_raised_ ? Status::Cancelled("interrupted") : Status::OK();
  }

  void RaiseAgain() {
    if (!was_raised_) return;
    PyErr_Restore(type_, value_, traceback_);
    throw PythonError();
  }

 private:
  bool was_raised_ = false;
  PyObject* type_ = nullptr;
  PyObject* value_ = nullptr;
  PyObject* traceback_ = nullptr;
};

struct ReplayArguments {
  DumpPointer dump;
  int with_output = 0;
  int wide_decimals = 0;
  ReplayOptions options;

  void Parse(PyObject* arguments, PyObject* keywords) {
    static const char* const names[] = {
        "",       "with_output", "wide_decimals", "partition", "attempt", "truncated",
        "repeat", "warmup",      "recorded_only", "ordered",   "conf",    "compare",
        "out",    "profile",     "trace",         "assertion", nullptr};
    int truncated = 0;
    int recorded_only = 0;
    int ordered = 0;
    if (PyArg_ParseTupleAndKeywords(
            arguments, keywords, "O&$ppO&O&piippO&O&O&O&O&O&", const_cast<char**>(names), TakeDump,
            &dump, &with_output, &wide_decimals, TakePartition, &options.partition, TakeInteger,
            &options.attempt, &truncated, &options.repeat, &options.warmup, &recorded_only,
            &ordered, TakeSettings, &options.conf, TakePath, &options.compare_path, TakePath,
            &options.out_path, TakePath, &options.profile_path, TakePath, &options.trace_path,
            TakeText, &options.assertion) == 0) {
      throw PythonError();
    }
    options.truncated = truncated != 0;
    options.recorded_only = recorded_only != 0;
    options.ordered = ordered != 0;
  }
};

// Runs while other threads of Python's may.
Result<ReplayReport> ReplayAlone(const std::string& folder, const ReplayOptions& options) {
  PyThreadState* python = PyEval_SaveThread();
  auto report = Replay(folder, options);
  PyEval_RestoreThread(python);
  return report;
}

// Returns the report as JSON, and the output rows where they are wanted, else None.
PyObject* ReplayOperator(PyObject*, PyObject* arguments, PyObject* keywords) {
  return Guarded([&] {
    ReplayArguments given;
    given.Parse(arguments, keywords);
    const std::vector<Field>& output = given.dump->plan().spec.output;
    const auto schema = ValueOrRaise(ReadableSchema(output));
    arrow::RecordBatchVector batches;
    given.options.take_output = [&](const std::shared_ptr<arrow::RecordBatch>& records) {
      if (given.with_output != 0) {
        ARROW_ASSIGN_OR_RAISE(auto rows, ReadableRows(*records, output, schema));
        batches.push_back(std::move(rows));
      }
      return Status::OK();
    };
    Interruption interruption;
    given.options.go_on = [&] { return interruption.Look(); };
    Result<ReplayReport> report = ReplayAlone(given.dump->folder(), given.options);
    interruption.RaiseAgain();
    const nlohmann::json json = ToJson(ValueOrRaise(std::move(report)));
    if (given.with_output == 0) return Py_BuildValue("NO", JsonText(json), Py_None);
    auto rows = ValueOrRaise(arrow::RecordBatchReader::Make(std::move(batches), schema));
    PyObject* stream = ToStreamCapsule(std::move(rows), DecimalsOf(given.wide_decimals));
    return Py_BuildValue("NN", JsonText(json), stream);
  });
}

PyMethodDef methods[] = {
    {"operators", Operators, METH_O, "The LORE ids of a dump."},
    {"open_operator", OpenOperator, METH_O, "An operator, which the other functions take."},
    {"describe", DescribeOperator, METH_O, "What it is, as JSON."},
    {"partitions", PartitionsOfOperator, METH_O, "Those of which there is a whole record."},
    {"rows", Rows, METH_VARARGS, "Recorded rows: a capsule of Arrow's C stream interface."},
    {"replay", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(ReplayOperator)),
     METH_VARARGS | METH_KEYWORDS, "The report of a replay as JSON, and its output rows."},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                          .m_name = "_core",
                          .m_doc = "Dumps and replays of Reprise. Use the package `reprise`.",
                          .m_size = -1,
                          .m_methods = methods,
                          .m_slots = nullptr,
                          .m_traverse = nullptr,
                          .m_clear = nullptr,
                          .m_free = nullptr};

}  // namespace

}  // namespace reprise

PyMODINIT_FUNC PyInit__core() {
  using reprise::error_class;
  PyObject* module = PyModule_Create(&reprise::definition);
  if (module == nullptr) return nullptr;
  error_class = PyErr_NewExceptionWithDoc(
      "reprise.Error",
      "What a dump, a replay or an event log could not do, with the file and what was expected.",
      PyExc_ValueError, nullptr);
  Py_IncRef(error_class);
  if (error_class == nullptr || PyModule_AddObject(module, "Error", error_class) != 0 ||
      PyModule_AddIntConstant(module, "OUTPUT", reprise::kOutputStream) != 0) {
    Py_DecRef(module);
    return nullptr;
  }
  return module;
}
