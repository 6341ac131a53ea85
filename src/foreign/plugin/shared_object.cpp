// SPDX-License-Identifier: Apache-2.0
/// What can be told of a shared object before its code runs.
#include <elf.h>

#include <cstring>
#include <fstream>

#include "foreign/plugin/load.hpp"

namespace hild::plugin {
namespace {

#if defined(__x86_64__)
constexpr Elf64_Half own_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half own_machine = EM_AARCH64;
#else
#error "the number of this machine in ELF files"
#endif

std::string machine_name(Elf64_Half machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "aarch64";
    case EM_386:
      return "x86, 32 bits";
    case EM_ARM:
      return "arm, 32 bits";
    default:
      return fmt::format("machine {} of ELF", machine);
  }
}

}  // namespace

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

}  // namespace hild::plugin
