// SPDX-License-Identifier: Apache-2.0
#include "foreign/plugin/shared_object.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/ranges.h>

#include <cstring>
#include <fstream>
#include <map>

#include "hild/core/trust.hpp"
#include "hild/numerics/float_control.hpp"

namespace hild::plugin {
namespace {

// ---- what can be told of a shared object before its code runs ----------------------------------

#if defined(__x86_64__)
constexpr Elf64_Half own_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half own_machine = EM_AARCH64;
#else
#error "the number of this machine in ELF files"
#endif

std::string machine_name(Elf64_Half machine) {
  static const std::map<Elf64_Half, std::string> names{{EM_X86_64, "x86-64"},
                                                       {EM_AARCH64, "aarch64"},
                                                       {EM_386, "x86, 32 bits"},
                                                       {EM_ARM, "arm, 32 bits"}};
  const auto found = names.find(machine);
  return found != names.end() ? found->second : fmt::format("machine {} of ELF", machine);
}

Result<void> check_shared_object(const std::filesystem::path& file) {
  Elf64_Ehdr header{};
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(&header), sizeof header);  // NOLINT: bytes of a file
  if (!in && in.gcount() == 0 && !in.eof()) return fail("cannot be read");
  const bool elf = in.gcount() >= EI_NIDENT && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0;
  if (!elf) return fail("is not a shared object (ELF): expected what a linker makes by -shared");
  if (in.gcount() < static_cast<std::streamsize>(sizeof header)) {
    return fail("is cut: {} bytes", in.gcount());
  }
  // The machine stands at the same place in files of 32 and of 64 bits.
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_machine != own_machine) {
    return fail("is for {}, expected {}", machine_name(header.e_machine),
                machine_name(own_machine));
  }
  if (header.e_type != ET_DYN) return fail("is no shared object; link it with -shared");
  return {};
}

// ---- its code ----------------------------------------------------------------------------------

// "FILE: undefined symbol: NAME": the linker's words begin with the file, ours too.
std::string last_words(const std::filesystem::path& file) {
  const char* words = ::dlerror();
  std::string text = words == nullptr ? "unknown reason" : words;
  const std::string start = file.string() + ": ";
  return text.starts_with(start) ? text.substr(start.size()) : text;
}

// The same whatever it holds.
using Said = PluginOf<void>;

Result<void> check_version(const Said& p, const Kind& kind) {
  constexpr auto advice = "build it again with the headers of this hild";
  if (p.abi != kind.abi || p.size != sizeof(Said)) {
    return fail("built for plug-in interface {}, expected {}; {}", p.abi, kind.abi, advice);
  }
  if (std::string_view(p.library) != plugin_library) {
    return fail("built with {}, expected {}; build it with the compiler and library of hild",
                p.library, plugin_library);
  }
  if (p.layout != kind.layout) {
    return fail("built with other headers of interface {}: sizes {}, expected {}; {}", p.abi,
                fmt::join(p.layout, " "), fmt::join(kind.layout, " "), advice);
  }
  if (p.count != 1) {
    return fail("holds {} {}s, expected one: {} once in a plug-in", p.count, kind.what, kind.macro);
  }
  return {};
}

}  // namespace

Result<void> check_file(const std::filesystem::path& file) {
  if (auto good = check_trusted(file); !good) return good;
  return check_shared_object(file);
}

Result<const void*> open_file(const std::filesystem::path& file, const Kind& kind) {
  // All symbols now, or not at all: none is looked for while running.
  const numerics::FloatControl kept;  // one linked with -ffast-math flushes to zero from here on
  void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return fail("cannot be loaded: {}; link what it needs (-Wl,--no-undefined finds it early)",
                last_words(file));
  }
  // dlsym() gives an object pointer for a function.
  using Entry = const Said* (*)();
  const auto entry = reinterpret_cast<Entry>(::dlsym(handle, kind.entry));  // NOLINT
  if (entry == nullptr) {
    return fail("has no symbol {}: not a hild {}; build it by {}() of CMake", kind.entry, kind.what,
                kind.made_by);
  }
  const Said* const said = entry();
  if (auto good = check_version(*said, kind); !good) return tl::make_unexpected(good.error());
  return said;
}

tl::unexpected<Error> refusal(const std::filesystem::path& file, const Error& error) {
  return fail(error.code, "plug-in {}: {}", file.string(), error.message);
}

}  // namespace hild::plugin
