// SPDX-License-Identifier: Apache-2.0
/// What the program was built with, and what it runs on.
#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/utsname.h>

#include <array>
#include <cstring>
#include <fstream>
#include <sstream>

#include "recording/framelog/description.hpp"

namespace hild::framelog {
namespace {

/// The linker's fingerprint of this program; empty where it made none.
std::string build_id() {
  std::string id;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* to) {
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& segment = object->dlpi_phdr[i];
          if (segment.p_type != PT_NOTE) continue;
          const auto* at = reinterpret_cast<const char*>(  // NOLINT: an address
              object->dlpi_addr + segment.p_vaddr);
          for (const char* const end = at + segment.p_memsz; end - at >= 12;) {
            ElfW(Nhdr) note;
            std::memcpy(&note, at, sizeof note);
            const auto padded = [](std::size_t n) { return (n + 3) / 4 * 4; };
            const char* const bytes = at + sizeof note + padded(note.n_namesz);
            if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4) {
              for (std::size_t b = 0; b < note.n_descsz; ++b) {
                *static_cast<std::string*>(to) +=
                    fmt::format("{:02x}", static_cast<unsigned char>(bytes[b]));
              }
              return 1;
            }
            at = bytes + padded(note.n_descsz);
          }
        }
        return 1;  // the first object is the program
      },
      &id);
  return id;
}

/// The first processor's entries of /proc/cpuinfo.
mcap::Map cpuinfo() {
  mcap::Map entries;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const auto colon = line.find(':');
    if (colon == line.npos) continue;
    const auto key_end = line.find_last_not_of(" \t", colon - 1);
    const auto value = line.find_first_not_of(" \t", colon + 1);
    entries.emplace_back(line.substr(0, key_end + 1), value == line.npos ? "" : line.substr(value));
  }
  return entries;
}

// Model and those features by which code is chosen when a program starts.
std::string cpu_class(const mcap::Map& cpu) {
  constexpr std::array deciding{"sse4_1",  "avx",      "avx2",     "fma",     "fma4",
                                "avx512f", "avx512dq", "avx512bw", "avx512vl"};
  std::string text = fmt::format("{} {}/{}", value_of(cpu, "vendor_id"),
                                 value_of(cpu, "cpu family"), value_of(cpu, "model"));
  const std::string flags = fmt::format(" {} ", value_of(cpu, "flags"));
  for (const char* const feature : deciding) {
    if (flags.find(fmt::format(" {} ", feature)) != flags.npos) text += fmt::format(" {}", feature);
  }
  return text;
}

}  // namespace

mcap::Map this_build(std::string_view version) {
  return {{"version", std::string(version)},
          {"compiler", HILD_COMPILER},
          {"flags", HILD_COMPILE_FLAGS},
          {"binary", build_id()}};
}

mcap::Map this_machine() {
  const mcap::Map cpu = cpuinfo();
  utsname name{};
  ::uname(&name);
  return {{"cpu", std::string(value_of(cpu, "model name"))},
          {"cpu_class", cpu_class(cpu)},
          {"kernel", fmt::format("{} {}", name.release, name.version)},
          {"host", name.nodename}};
}

}  // namespace hild::framelog
