// SPDX-License-Identifier: Apache-2.0
/// Any text as a modelDescription.xml: read or refused, never worse; and what is read makes a
/// layout.
#include "foreign/fmu/layout_of.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto d = hild::fmu::parse({reinterpret_cast<const char*>(data), size});  // NOLINT
  if (!d) return 0;
  std::size_t elements = 0;
  for (const auto& v : d->variables) elements += v.size();
  if (elements < 100'000 && d->model_exchange)
    (void)hild::fmu::layout_of(*d, hild::fmu::Kind::model_exchange);
  return 0;
}
