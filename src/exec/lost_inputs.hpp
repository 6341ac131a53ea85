// SPDX-License-Identifier: Apache-2.0
/// \file
/// Inputs whose newest image is older than they may be: a device that hangs, a message that does
/// not come. What stands in for them then is declared, and ends with the next image. Real-time safe
/// after construction.
#pragma once

#include <span>
#include <vector>

#include "hild/core/time.hpp"
#include "hild/rt/atomic.hpp"
#include "io/image_history.hpp"

namespace hild::exec {

class LostInputs {
 public:
  explicit LostInputs(std::span<const io::SampledInput> inputs);

  /// Whether any may be lost.
  [[nodiscard]] bool any() const noexcept { return !watched_.empty(); }

  /// What is to be done about those that were lost, or are back, since the call before.
  struct News {
    int lost = 0;          ///< how many were
    bool other = false;    ///< what the plant is given begins anew
    bool disarms = false;  ///< outputs may not follow the model: also said of those lost before
    int fatal = -1;        ///< the run is to end for want of this input
    Duration age{};        ///< of its newest image
  };
  /// Once a step, which started at `now`, in this frame. The history of what is back begins anew.
  [[nodiscard]] News look(io::ImageHistory& images, MonoTime now, std::int64_t frame) noexcept;
  /// Puts what stands in for lost inputs into `u`.
  void stand_in(const io::ImageHistory& images, std::span<double> u) const noexcept {
    if (lost_ > 0) replace(images, u);
  }

  void transfer(Archive& archive) noexcept;

  /// An input that is lost.
  struct Lost {
    std::size_t input = 0;
    std::int64_t since = 0;  ///< frame
    bool disarms = false;    ///< outputs are disarmed for it
  };
  /// At present. From any thread; allocates.
  [[nodiscard]] std::vector<Lost> at_present() const;
  /// Whether outputs are disarmed for the loss of any of them.
  [[nodiscard]] bool may_disarm() const noexcept;

 private:
  [[gnu::noinline]] void replace(const io::ImageHistory& images,
                                 std::span<double> u) const noexcept;
  struct Watched {
    std::size_t input;
    std::size_t group;
    io::LossRule rule;
  };
  std::vector<Watched> watched_;
  std::vector<rt::Counter> since_;  // of each of those: the frame, -1 while it is there
  std::size_t lost_ = 0;
};

}  // namespace hild::exec
