// SPDX-License-Identifier: Apache-2.0
/// \file
/// The state of an FMU as bytes, where it can give it: what its own functions save and take back.
/// It may allocate there, as in any of its calls; hild's own part does not once it was measured.
#pragma once

#include <cstddef>
#include <vector>

#include "foreign/fmi/status.hpp"
#include "hild/core/archive.hpp"

namespace hild::fmi {

/// The functions for it, which have the same type in both versions; null: the FMU cannot.
struct StateFunctions {
  Status (*get)(void*, void** state) = nullptr;
  Status (*set)(void*, void* state) = nullptr;
  Status (*release)(void*, void** state) = nullptr;
  Status (*size)(void*, void* state, std::size_t* bytes) = nullptr;
  Status (*serialize)(void*, void* state, std::byte* bytes, std::size_t size) = nullptr;
  Status (*deserialize)(void*, const std::byte* bytes, std::size_t size, void** state) = nullptr;

  [[nodiscard]] bool all() const noexcept {
    return get != nullptr && set != nullptr && release != nullptr && size != nullptr &&
           serialize != nullptr && deserialize != nullptr;
  }
};

class SavedState {
 public:
  /// Of the instance `component`.
  SavedState(void* component, const StateFunctions& functions) noexcept
      : component_(component), f_(functions) {}
  SavedState(const SavedState&) = delete;
  SavedState& operator=(const SavedState&) = delete;

  void transfer(Archive& archive) noexcept;
  /// Gives the FMU back what it keeps for this. The instance still lives.
  void release() noexcept;

 private:
  bool get() noexcept;
  void prepare();
  void save(Archive& archive) noexcept;
  void load(Archive& archive) noexcept;

  void* component_;
  StateFunctions f_;
  void* state_ = nullptr;  // the FMU's, used again and again
  std::vector<std::byte> bytes_;
};

}  // namespace hild::fmi
