// What Python's functions are called with, as the core takes it.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/config_values.h"

namespace reprise {

// For "O&" of PyArg_ParseTuple: each takes a Python object and what it is to be stored in, and
// returns whether it is of that kind; if not, Python's error says so.

/// bytes, as os.fsencode gives a path: it need not be UTF-8. To a std::string.
int TakePath(PyObject* value, void* to);

/// str, to a std::string.
int TakeText(PyObject* value, void* to);

/// An integer or None, to a std::optional<int64_t>.
int TakeInteger(PyObject* value, void* to);

/// The same within an int's bounds, to a std::optional<int>.
int TakePartition(PyObject* value, void* to);

/// A dict of str, to a ConfigMap.
int TakeSettings(PyObject* value, void* to);

}  // namespace reprise
