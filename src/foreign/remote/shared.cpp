// SPDX-License-Identifier: Apache-2.0
#include "foreign/remote/shared.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <utility>

#include "hild/model/check_structure.hpp"

namespace hild::remote {
namespace {

constexpr std::size_t head = (sizeof(Header) + 63) / 64 * 64;

std::size_t longest(const Sizes& s) noexcept {
  return std::max({s.jacobian, s.states, s.outputs, s.events, s.parameters, std::size_t{1}});
}

std::size_t bytes_of(const Sizes& s) noexcept {
  return head + sizeof(double) * (6 * s.states + s.inputs + longest(s) + s.outputs + s.events) +
         piece_bytes + s.said;
}

}  // namespace

Sizes sizes_of(const model::Description& d) noexcept {
  return {.states = d.states.size(),
          .inputs = d.inputs.size(),
          .outputs = d.outputs.size(),
          .events = d.events.size(),
          .parameters = d.parameters.size(),
          .jacobian = model::beyond_dense(d) ? 0 : d.structure.room(d.states.size())};
}

Shared::Shared(const Sizes& sizes) {
  auto memory = rt::SharedMemory::make_with_file(bytes_of(sizes), file_);
  if (!memory) return;
  memory_ = std::move(*memory);
  lay_out(sizes);
  new (header_) Header;
  ::madvise(header_, bytes_of(sizes), MADV_DONTFORK);  // no business of the guard's
}

Shared::Shared(const Sizes& sizes, int handed_over) {
  auto memory = rt::SharedMemory::map(handed_over, bytes_of(sizes));
  if (!memory) return;
  memory_ = std::move(*memory);
  lay_out(sizes);
}

void Shared::lay_out(const Sizes& sizes) {
  void* const place = memory_.data();
  header_ = static_cast<Header*>(place);
  auto* at = reinterpret_cast<double*>(static_cast<std::byte*>(place) + head);
  const auto take = [&at](std::size_t n) {
    const Vector v(at, n);
    at += n;
    return v;
  };
  x = take(sizes.states);
  u = take(sizes.inputs);
  out = take(longest(sizes));
  states = take(sizes.states);
  start_states = take(sizes.states);
  start_derivatives = take(sizes.states);
  outputs = take(sizes.outputs);
  events = take(sizes.events);
  slopes = take(sizes.states);
  error = take(sizes.states);
  piece = {reinterpret_cast<std::byte*>(at), piece_bytes};
  said_ = {piece.data() + piece.size(), sizes.said};
}

}  // namespace hild::remote
