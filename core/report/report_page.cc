#include "report/report_page.h"

#include <arrow/util/base64.h>
#include <arrow/util/compression.h>

#include "report/report_page_html.h"

namespace reprise {

namespace {

Result<std::string> Gzipped(const std::string& text) {
  ARROW_ASSIGN_OR_RAISE(const auto codec, arrow::util::Codec::Create(arrow::Compression::GZIP, 6));
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  const auto size = static_cast<int64_t>(text.size());
  std::string out(static_cast<size_t>(codec->MaxCompressedLen(size, bytes)), 0);
  ARROW_ASSIGN_OR_RAISE(const int64_t written,
                        codec->Compress(size, bytes, static_cast<int64_t>(out.size()),
                                        reinterpret_cast<uint8_t*>(out.data())));
  out.resize(static_cast<size_t>(written));
  return out;
}

std::string PageWith(const std::string& packed) {
  constexpr std::string_view kPlace = "/*DATA*/";
  std::string page = kReportPageHtml;
  return page.replace(page.find(kPlace), kPlace.size(), packed);
}

}  // namespace

Result<std::string> ReportPage(const nlohmann::json& data) {
  // Names may be of bytes that are no UTF-8.
  const std::string text = data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  ARROW_ASSIGN_OR_RAISE(const std::string packed, Gzipped(text));
  return PageWith(arrow::util::base64_encode(packed));
}

std::string ServedReportPage() { return PageWith(""); }

}  // namespace reprise
