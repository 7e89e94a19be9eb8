# Puts the parts of the report's page into one C++ header: what page/report.html names between @s.
# Usage: cmake -DPAGE=FOLDER -DPARTS=FOLDER -DHEADER=FILE -P page.cmake
file(READ ${PAGE}/report.css STYLE)
set(SCRIPT)
foreach(name elements plan timeline views)
  file(READ ${PAGE}/${name}.js part)
  string(APPEND SCRIPT "${part}")
endforeach()
file(READ ${PARTS}/d3-hierarchy.min.js D3_HIERARCHY)
file(READ ${PAGE}/report.html page)
# Not configure_file: ${…} is the script's own.
foreach(name STYLE SCRIPT D3_HIERARCHY)
  string(REPLACE "@${name}@" "${${name}}" page "${page}")
endforeach()
# A string literal may not be longer than 65,536 bytes in every compiler; literals beside each other are one.
set(literals)
string(LENGTH "${page}" length)
set(at 0)
while(at LESS length)
  string(SUBSTRING "${page}" ${at} 16000 part)
  string(APPEND literals "R\"report(${part})report\"\n")
  math(EXPR at "${at} + 16000")
endwhile()
file(WRITE ${HEADER}
"// Written by cmake/page.cmake out of core/report/page/.
#pragma once

namespace reprise {

/// \"/*DATA*/\" stands where the compressed data goes.
inline constexpr char kReportPageHtml[] =
${literals};

}  // namespace reprise
")
