// SPDX-License-Identifier: Apache-2.0
/// Any bytes as an FMU's archive: nothing is written outside of the folder it is unpacked to.
#include <cstdlib>
#include <fstream>

#include "foreign/fmu/archive.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  namespace fs = std::filesystem;
  const auto top = hild::fmu::Folder::make();
  if (!top) return 0;
  const fs::path file = top->path() / "x.fmu";
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));  // NOLINT
  fs::create_directory(top->path() / "in");
  (void)hild::fmu::unpack(file, top->path() / "in");
  for (const auto& one : fs::directory_iterator(top->path())) {
    if (one.path() != file && one.path() != top->path() / "in") std::abort();
  }
  return 0;
}
