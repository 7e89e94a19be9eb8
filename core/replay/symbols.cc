#include "replay/symbols.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <vector>

#include "dump/file.h"

namespace reprise {

namespace {

struct Function {
  uintptr_t begin = 0;
  uintptr_t size = 0;
  std::string name;
};

template <typename T>
const T* At(const std::string& bytes, size_t offset, size_t count = 1) {
  if (offset > bytes.size() || count > (bytes.size() - offset) / sizeof(T)) return nullptr;
  return reinterpret_cast<const T*>(bytes.data() + offset);
}

// The functions of one symbol section; addresses as in the file.
void AddFunctions(const std::string& bytes, const Elf64_Shdr& section, const Elf64_Shdr& names,
                  std::vector<Function>* functions) {
  const size_t count = section.sh_size / sizeof(Elf64_Sym);
  const auto* symbols = At<Elf64_Sym>(bytes, section.sh_offset, count);
  const char* text = At<char>(bytes, names.sh_offset, names.sh_size);
  if (symbols == nullptr || text == nullptr) return;
  for (size_t i = 0; i < count; ++i) {
    const Elf64_Sym& symbol = symbols[i];
    const auto type = ELF64_ST_TYPE(symbol.st_info);
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol.st_value == 0 ||
        symbol.st_name >= names.sh_size) {
      continue;
    }
    const char* name = text + symbol.st_name;
    functions->push_back({symbol.st_value, symbol.st_size,
                          std::string(name, ::strnlen(name, names.sh_size - symbol.st_name))});
  }
}

std::vector<Function> FunctionsOf(const std::string& path) {
  std::vector<Function> functions;
  const auto read = ReadWholeFile(path);
  if (!read.ok()) return functions;
  const std::string& bytes = *read;
  const auto* header = At<Elf64_Ehdr>(bytes, 0);
  if (header == nullptr || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64) {
    return functions;
  }
  const auto* sections = At<Elf64_Shdr>(bytes, header->e_shoff, header->e_shnum);
  if (sections == nullptr) return functions;
  for (const uint32_t wanted : {SHT_SYMTAB, SHT_DYNSYM}) {
    for (size_t i = 0; i < header->e_shnum; ++i) {
      const Elf64_Shdr& section = sections[i];
      if (section.sh_type != wanted || section.sh_link >= header->e_shnum) continue;
      AddFunctions(bytes, section, sections[section.sh_link], &functions);
    }
    if (!functions.empty()) break;  // the whole table has the exported ones too
  }
  std::ranges::stable_sort(functions, {}, &Function::begin);
  return functions;
}

}  // namespace

struct Symbols::Module {
  std::string name;
  std::vector<Function> functions;
};

Symbols::Symbols() = default;
Symbols::~Symbols() = default;

Symbols::Module* Symbols::ModuleOf(uintptr_t address) {
  Dl_info info{};
  link_map* map = nullptr;
  if (::dladdr1(reinterpret_cast<void*>(address), &info, reinterpret_cast<void**>(&map),
                RTLD_DL_LINKMAP) == 0 ||
      map == nullptr) {
    return nullptr;
  }
  auto& module = modules_[map->l_addr];
  if (module == nullptr) {
    const bool is_program = map->l_name == nullptr || *map->l_name == '\0';
    const std::string path = is_program ? "/proc/self/exe" : map->l_name;
    module = std::make_unique<Module>();
    module->name = is_program ? "program" : std::filesystem::path(path).filename().string();
    module->functions = FunctionsOf(path);
    for (Function& function : module->functions) function.begin += map->l_addr;
  }
  return module.get();
}

std::string Symbols::NameOf(uintptr_t address) {
  const auto found = known_.find(address);
  if (found != known_.end()) return found->second;
  std::string name = "[unknown]";
  if (const Module* module = ModuleOf(address)) {
    name = "[" + module->name + "]";
    auto after = std::ranges::upper_bound(module->functions, address, {}, &Function::begin);
    if (after != module->functions.begin()) {
      const Function& function = *std::prev(after);
      const bool within = function.size == 0 || address < function.begin + function.size;
      if (within) name = ReadableName(function.name);
    }
  }
  return known_[address] = name;
}

std::string ReadableName(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0 || demangled == nullptr) return name;
  std::string text = demangled.get();
  // Arguments begin at the last bracket of depth 0; "(anonymous namespace)" and "operator()" stay.
  int depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')') ++depth;
    if (text[i] != '(' || --depth > 0) continue;
    if (i == 0 || text.compare(i, 21, "(anonymous namespace)") == 0) break;
    if (i >= 8 && text.compare(i - 8, 8, "operator") == 0) break;
    text.resize(i);
    break;
  }
  return text;
}

}  // namespace reprise
