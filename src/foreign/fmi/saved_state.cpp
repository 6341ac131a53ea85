// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmi/saved_state.hpp"

#include "hild/numerics/float_control.hpp"

namespace hild::fmi {

using numerics::kept_apart;

void SavedState::release() noexcept {
  if (state_ != nullptr) kept_apart(f_.release, component_, &state_);
}

bool SavedState::get() noexcept {
  return good(kept_apart(f_.get, component_, &state_)) && state_ != nullptr;
}

// Its state may become larger than it is now.
void SavedState::prepare() {
  std::size_t size = 0;
  if (!get() || !good(kept_apart(f_.size, component_, state_, &size))) return;
  bytes_.resize(2 * size + 64);
}

void SavedState::transfer(Archive& archive) noexcept {
  if (!f_.all()) {
    archive.refuse(
        "the FMU does not say that its state can be saved (canGetAndSetFMUState, "
        "canSerializeFMUState)");
    return;
  }
  if (bytes_.empty() && (archive.measures() || archive.loads())) prepare();
  if (bytes_.empty()) {
    archive.refuse("the FMU fails to give its state");
  } else if (archive.loads()) {
    load(archive);
  } else {
    save(archive);
  }
}

void SavedState::save(Archive& archive) noexcept {
  std::size_t size = 0;
  if (!archive.measures()) {
    const bool fine = get() && good(kept_apart(f_.size, component_, state_, &size)) &&
                      size <= bytes_.size() &&
                      good(kept_apart(f_.serialize, component_, state_, bytes_.data(), size));
    if (!fine) return archive.refuse("the FMU fails to give its state");
  }
  const std::size_t n = archive.size(size, bytes_.size(), "bytes of the FMU's state");
  archive.bytes(std::span(bytes_).first(n));
}

void SavedState::load(Archive& archive) noexcept {
  const std::size_t n = archive.size(0, bytes_.size(), "bytes of the FMU's state");
  archive.bytes(std::span(bytes_).first(n));
  if (!archive.good()) return;
  void* loaded = nullptr;
  const bool fine = good(kept_apart(f_.deserialize, component_, bytes_.data(), n, &loaded)) &&
                    good(kept_apart(f_.set, component_, loaded));
  if (loaded != nullptr) kept_apart(f_.release, component_, &loaded);
  if (!fine) archive.refuse("the FMU does not take its state back");
}

}  // namespace hild::fmi
