# What `cmake --install` lays into dist/: the program, the plug-in's library, and the shared libraries that both need
# and that a machine with Spark does not have. Every file finds the others by a path relative to its own.
foreach(target reprise reprise_jni)
  if(TARGET ${target})
    add_dependencies(product ${target})
  endif()
endforeach()
if(TARGET cli_test)
  add_dependencies(unit_tests cli_test)
endif()

install(FILES ${REPRISE_ARROW_LIBRARIES} DESTINATION lib)
# Debian has simdjson only as a shared library: it travels under the name that the loader asks for.
get_target_property(simdjson_library simdjson::simdjson LOCATION)
get_filename_component(simdjson_library ${simdjson_library} REALPATH)
execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${simdjson_library} OUTPUT_VARIABLE simdjson_header)
string(REGEX MATCH "SONAME +([^\n ]+)" ignored "${simdjson_header}")
install(FILES ${simdjson_library} DESTINATION lib RENAME ${CMAKE_MATCH_1})
