# Arrow C++ as the pyarrow wheel carries it: headers in pyarrow/include, libraries beside them.
set(REPRISE_PYTHON ${CMAKE_CURRENT_LIST_DIR}/../.venv/bin/python CACHE FILEPATH "Python that has pyarrow")
if(NOT EXISTS ${REPRISE_PYTHON})
  message(FATAL_ERROR "no ${REPRISE_PYTHON}: run `make setup` first, or set REPRISE_PYTHON")
endif()
if(DEFINED REPRISE_PYARROW)  # of another architecture, by its toolchain file
  set(ARROW_HOME ${REPRISE_PYARROW})
else()
  execute_process(
    COMMAND ${REPRISE_PYTHON} -c "import pyarrow, os; print(os.path.dirname(pyarrow.__file__))"
    OUTPUT_VARIABLE ARROW_HOME OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE ARROW_FOUND)
  if(NOT ARROW_FOUND EQUAL 0)
    message(FATAL_ERROR "${REPRISE_PYTHON} has no pyarrow: run `make setup` first")
  endif()
endif()
file(GLOB ARROW_LIBRARY ${ARROW_HOME}/libarrow.so.*)
string(REGEX REPLACE ".*\\.so\\." "" ARROW_SOVERSION "${ARROW_LIBRARY}")
set(REPRISE_ARROW_LIBRARIES)
foreach(name arrow arrow_compute parquet)
  add_library(Arrow::${name} SHARED IMPORTED GLOBAL)
  set_target_properties(
    Arrow::${name}
    PROPERTIES IMPORTED_LOCATION ${ARROW_HOME}/lib${name}.so.${ARROW_SOVERSION}
               INTERFACE_INCLUDE_DIRECTORIES ${ARROW_HOME}/include)
  list(APPEND REPRISE_ARROW_LIBRARIES ${ARROW_HOME}/lib${name}.so.${ARROW_SOVERSION})
endforeach()
