// Text that others have written, as a terminal may be given it.
#pragma once

#include <string>
#include <string_view>

namespace reprise {

/// Control characters as JSON writes them (an escape is `\u001b`), so that none moves a terminal's
/// cursor or hides what stands before it; line ends stay. Source: C0, DEL and C1 of ECMA-48, the
/// last in UTF-8. All other bytes are kept.
std::string Printable(std::string_view text);

/// The same on one line: a line end is `\u000a`.
std::string PrintableLine(std::string_view text);

}  // namespace reprise
