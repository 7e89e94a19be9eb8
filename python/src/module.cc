// reprise._core: dumps and replays for Python. Thin: reprise/dumps.py gives it its face.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrow_stream.h"
#include "dump/reader.h"
#include "raise.h"
#include "recorded_rows.h"
#include "replay/description.h"
#include "replay/replay.h"
#include "replay/report_json.h"
#include "transitions/readable_rows.h"

namespace nb = nanobind;

namespace reprise {

namespace {

// A path as Python's os.fsencode gives it: it need not be UTF-8.
std::string PathOf(const nb::bytes& path) { return {path.c_str(), path.size()}; }

// What is not UTF-8, as of a path, is replaced: it is only shown.
std::string ToText(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::shared_ptr<OperatorDump> OpenOperator(const nb::bytes& folder) {
  return std::make_shared<OperatorDump>(ValueOrRaise(OperatorDump::Open(PathOf(folder))));
}

nb::capsule RecordedRowsOf(const std::shared_ptr<OperatorDump>& dump, int stream,
                           std::optional<int> partition, std::optional<int64_t> attempt,
                           bool truncated) {
  return ToStreamCapsule(
      ValueOrRaise(ReadRecordedRows(dump, {stream, partition, attempt, truncated})));
}

// Ctrl-C, or what a signal handler of the user's raises, ends a replay between two batches.
class Interruption {
 public:
  Status Look() {
    const nb::gil_scoped_acquire python;
    if (PyErr_CheckSignals() == 0) return Status::OK();
    raised_.emplace();
    return Status::Cancelled("interrupted");
  }

  void RaiseAgain() {
    if (raised_) throw *std::move(raised_);
  }

 private:
  std::optional<nb::python_error> raised_;
};

// Returns the report as JSON, and the output rows where they are wanted, else None.
nb::tuple ReplayOperator(const OperatorDump& dump, bool with_output, std::optional<int> partition,
                         std::optional<int64_t> attempt, bool truncated, bool recorded_only,
                         int repeat, int warmup, bool ordered,
                         const std::map<std::string, std::string>& conf, const nb::bytes& compare,
                         const std::string& assertion, const nb::bytes& out,
                         const nb::bytes& profile, const nb::bytes& trace) {
  ReplayOptions options;
  options.partition = partition;
  options.attempt = attempt;
  options.truncated = truncated;
  options.recorded_only = recorded_only;
  options.repeat = repeat;
  options.warmup = warmup;
  options.ordered = ordered;
  options.conf = ConfigMap(conf.begin(), conf.end());
  options.compare_path = PathOf(compare);
  options.assertion = assertion;
  options.out_path = PathOf(out);
  options.profile_path = PathOf(profile);
  options.trace_path = PathOf(trace);
  const auto schema = ValueOrRaise(ReadableSchema(dump.plan().spec.output));
  arrow::RecordBatchVector batches;
  options.take_output = [&](const std::shared_ptr<arrow::RecordBatch>& records) {
    if (with_output) {
      ARROW_ASSIGN_OR_RAISE(auto rows, ReadableRows(*records, dump.plan().spec.output, schema));
      batches.push_back(std::move(rows));
    }
    return Status::OK();
  };
  Interruption interruption;
  options.go_on = [&] { return interruption.Look(); };
  Result<ReplayReport> report = [&] {
    const nb::gil_scoped_release others_may_run;
    return Replay(dump.folder(), options);
  }();
  interruption.RaiseAgain();
  const nlohmann::json json = ToJson(ValueOrRaise(std::move(report)));
  nb::object rows = nb::none();
  if (with_output) {
    rows =
        ToStreamCapsule(ValueOrRaise(arrow::RecordBatchReader::Make(std::move(batches), schema)));
  }
  return nb::make_tuple(ToText(json), rows);
}

void TranslateErrors(const std::exception_ptr& thrown, void* error_class) {
  try {
    std::rethrow_exception(thrown);
  } catch (const StatusError& error) {
    const Status& status = error.status();
    PyObject* type = static_cast<PyObject*>(error_class);
    if (status.IsIOError()) type = PyExc_OSError;
    if (status.IsCancelled()) type = PyExc_KeyboardInterrupt;
    if (status.IsOutOfMemory()) type = PyExc_MemoryError;
    // A path in it need not be UTF-8.
    const std::string_view text = error.what();
    const nb::object shown = nb::steal(
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
    if (shown.is_valid()) PyErr_SetObject(type, shown.ptr());
  }
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() = "Dumps and replays of Reprise. Use the package `reprise`.";
  nb::object error_class = nb::steal(PyErr_NewExceptionWithDoc(
      "reprise.Error",
      "What a dump, a replay or an event log could not do, with the file and what was expected.",
      PyExc_ValueError, nullptr));
  module.attr("Error") = error_class;
  // The module lives as long as the interpreter, and so does the class.
  nb::register_exception_translator(TranslateErrors, error_class.release().ptr());

  module.def("operators",
             [](const nb::bytes& dump) { return ValueOrRaise(ListOperators(PathOf(dump))); });
  module.attr("OUTPUT") = kOutputStream;
  nb::class_<OperatorDump>(module, "Operator")
      .def("describe", [](const OperatorDump& dump) { return ToText(Describe(dump)); })
      .def("partitions",
           [](const OperatorDump& dump) {
             std::vector<int> partitions;
             for (const AttemptName& name : dump.attempts()) {
               if (!name.attempt) partitions.push_back(name.partition);
             }
             return partitions;
           })
      .def("rows", &RecordedRowsOf, nb::arg("stream"), nb::arg("partition").none(),
           nb::arg("attempt").none(), nb::arg("truncated"))
      .def("replay", &ReplayOperator, nb::kw_only(), nb::arg("with_output"),
           nb::arg("partition").none(), nb::arg("attempt").none(), nb::arg("truncated"),
           nb::arg("recorded_only"), nb::arg("repeat"), nb::arg("warmup"), nb::arg("ordered"),
           nb::arg("conf"), nb::arg("compare"), nb::arg("assertion"), nb::arg("out"),
           nb::arg("profile"), nb::arg("trace"));
  module.def("open_operator", &OpenOperator);
}

}  // namespace reprise
