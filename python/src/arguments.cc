#include "arguments.h"

#include <limits>

namespace reprise {

namespace {

int Expected(const char* what) {
  PyErr_Format(PyExc_TypeError, "expected %s", what);
  return 0;
}

}  // namespace

int TakePath(PyObject* value, void* to) {
  char* bytes = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(value, &bytes, &size) != 0) return 0;
  static_cast<std::string*>(to)->assign(bytes, static_cast<size_t>(size));
  return 1;
}

int TakeText(PyObject* value, void* to) {
  if (PyUnicode_Check(value) == 0) return Expected("a str");
  PyObject* bytes = PyUnicode_AsUTF8String(value);
  if (bytes == nullptr) return 0;
  const int is_text = TakePath(bytes, to);
  Py_DecRef(bytes);
  return is_text;
}

int TakeInteger(PyObject* value, void* to) {
  auto* integer = static_cast<std::optional<int64_t>*>(to);
  integer->reset();
  if (value == Py_None) return 1;
  const long long number = PyLong_AsLongLong(value);
  if (number == -1 && PyErr_Occurred() != nullptr) return 0;
  *integer = number;
  return 1;
}

int TakePartition(PyObject* value, void* to) {
  std::optional<int64_t> integer;
  if (TakeInteger(value, &integer) == 0) return 0;
  auto* partition = static_cast<std::optional<int>*>(to);
  partition->reset();
  if (!integer) return 1;
  if (*integer < std::numeric_limits<int>::min() || *integer > std::numeric_limits<int>::max()) {
    PyErr_Format(PyExc_OverflowError, "there is no partition %S", value);
    return 0;
  }
  *partition = static_cast<int>(*integer);
  return 1;
}

int TakeSettings(PyObject* value, void* to) {
  if (PyDict_Check(value) == 0) return Expected("a dict");
  auto* settings = static_cast<ConfigMap*>(to);
  Py_ssize_t at = 0;
  PyObject* key = nullptr;
  PyObject* item = nullptr;
  while (PyDict_Next(value, &at, &key, &item) != 0) {
    std::string name;
    std::string text;
    if (TakeText(key, &name) == 0 || TakeText(item, &text) == 0) return 0;
    settings->insert_or_assign(std::move(name), std::move(text));
  }
  return 1;
}

}  // namespace reprise
