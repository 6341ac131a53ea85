// SPDX-License-Identifier: Apache-2.0
#include "remote/shared.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace hild::remote {

Shared::Shared(const model::Description& d) {
  const std::size_t nx = d.states.size();
  const std::size_t longest =
      std::max({nx * nx, nx, d.outputs.size(), d.events.size(), std::size_t{1}});
  constexpr std::size_t head = (sizeof(Header) + 63) / 64 * 64;
  bytes_ = head + sizeof(double) * (4 * nx + d.inputs.size() + longest);
  void* const place =
      ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) return;  // NOLINT: the macro's cast
  header_ = new (place) Header;
  auto* at = reinterpret_cast<double*>(static_cast<std::byte*>(place) + head);
  const auto take = [&at](std::size_t n) {
    const Vector v(at, n);
    at += n;
    return v;
  };
  x = take(nx);
  u = take(d.inputs.size());
  out = take(longest);
  states = take(nx);
  start_states = take(nx);
  start_derivatives = take(nx);
}

Shared::~Shared() {
  if (header_ != nullptr) ::munmap(header_, bytes_);
}

}  // namespace hild::remote
