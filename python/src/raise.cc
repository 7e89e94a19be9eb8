#include "raise.h"

#include <new>
#include <string_view>

namespace reprise {

void ToPythonError(PyObject* error_class) {
  try {
    throw;
  } catch (const StatusError& error) {
    const Status& status = error.status();
    PyObject* type = error_class;
    if (status.IsIOError()) type = PyExc_OSError;
    if (status.IsCancelled()) type = PyExc_KeyboardInterrupt;
    if (status.IsOutOfMemory()) type = PyExc_MemoryError;
    // A path in it need not be UTF-8.
    const std::string_view text = error.what();
    PyObject* shown =
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
    if (shown == nullptr) return;
    PyErr_SetObject(type, shown);
    Py_DecRef(shown);
  } catch (const PythonError&) {
    // It is set.
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

}  // namespace reprise
