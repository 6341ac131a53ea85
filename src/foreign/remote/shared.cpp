// SPDX-License-Identifier: Apache-2.0
#include "foreign/remote/shared.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <new>

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
  descriptor_ = ::memfd_create("hild-exchange", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor_ < 0) return;
  // Who could shorten it could end hild by it (SIGBUS).
  const bool made =
      ::ftruncate(descriptor_, static_cast<off_t>(bytes_of(sizes))) == 0 &&
      ::fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
  if (!made || !map(sizes, descriptor_)) return;
  new (header_) Header;
  ::madvise(header_, bytes_, MADV_DONTFORK);  // no business of the guard's
}

Shared::Shared(const Sizes& sizes, int handed_over) {
  struct stat found {};
  if (::fstat(handed_over, &found) != 0 || found.st_size != static_cast<off_t>(bytes_of(sizes))) {
    return;
  }
  map(sizes, handed_over);
}

bool Shared::map(const Sizes& sizes, int file) {
  bytes_ = bytes_of(sizes);
  void* const place =
      ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
  if (place == MAP_FAILED) return false;  // NOLINT: the macro's cast
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
  return true;
}

void Shared::handed_over() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

Shared::~Shared() {
  if (header_ != nullptr) ::munmap(header_, bytes_);
  handed_over();
}

}  // namespace hild::remote
