#include "lineage/graphviz.h"

#include <graphviz/gvc.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/shared_library.h"

namespace reprise {

namespace {

// The functions of Graphviz that are used, of the library's own types.
struct Functions {
  decltype(&gvContext) new_context;
  decltype(&gvFreeContext) free_context;
  decltype(&agmemread) read;
  decltype(&agclose) close;
  decltype(&gvLayout) layout;
  decltype(&gvFreeLayout) free_layout;
  decltype(&gvRenderData) render;
  decltype(&gvFreeRenderData) free_data;
  decltype(&agseterr) set_errors;
};

// Its plug-ins can't be unloaded.
Result<Functions> LoadGraphviz() {
  ARROW_ASSIGN_OR_RAISE(
      const SharedLibrary library,
      SharedLibrary::Load("libgvc.so.6", "Graphviz",
                          "install it (on Debian: apt-get install graphviz), or write a .dot "
                          "file and draw that elsewhere"));
  Functions found;
  RETURN_NOT_OK(library.Find("gvContext", &found.new_context));
  RETURN_NOT_OK(library.Find("gvFreeContext", &found.free_context));
  RETURN_NOT_OK(library.Find("agmemread", &found.read));
  RETURN_NOT_OK(library.Find("agclose", &found.close));
  RETURN_NOT_OK(library.Find("gvLayout", &found.layout));
  RETURN_NOT_OK(library.Find("gvFreeLayout", &found.free_layout));
  RETURN_NOT_OK(library.Find("gvRenderData", &found.render));
  RETURN_NOT_OK(library.Find("gvFreeRenderData", &found.free_data));
  RETURN_NOT_OK(library.Find("agseterr", &found.set_errors));
  return found;
}

Status WriteFile(const std::string& path, const char* bytes, size_t size) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes, static_cast<std::streamsize>(size));
  file.close();
  if (file.good()) return Status::OK();
  return Status::IOError("cannot write ", path, ": ", std::strerror(errno));
}

}  // namespace

Status RenderGraph(const std::string& dot, const std::string& format, const std::string& path) {
  if (format == "dot") return WriteFile(path, dot.data(), dot.size());
  ARROW_ASSIGN_OR_RAISE(const Functions graphviz, LoadGraphviz());
  // What Graphviz prints itself, as all the formats that it knows, says no more than the Status.
  graphviz.set_errors(AGMAX);
  GVC_t* context = graphviz.new_context();
  graph_t* graph = graphviz.read(dot.c_str());
  Status status;
  if (graph == nullptr || graphviz.layout(context, graph, "dot") != 0) {
    status = Status::IOError("Graphviz cannot lay the picture out");
  } else {
    char* bytes = nullptr;
    unsigned size = 0;
    if (graphviz.render(context, graph, format.c_str(), &bytes, &size) != 0 || bytes == nullptr) {
      status = Status::IOError("this Graphviz cannot draw ", format,
                               ": expected svg, png, pdf or dot, or another of its formats");
    } else {
      status = WriteFile(path, bytes, size);
      graphviz.free_data(bytes);
    }
    graphviz.free_layout(context, graph);
  }
  if (graph != nullptr) graphviz.close(graph);
  graphviz.free_context(context);
  return status;
}

}  // namespace reprise
