// SPDX-License-Identifier: Apache-2.0
/// \file
/// The inputs of the pass at hand, at their nominal time: from images at their true times, or as
/// they are to be carried on where there is none as new; without those that are lost. Real-time
/// safe after construction.
#pragma once

#include <algorithm>

#include "exec/lost_inputs.hpp"
#include "exec/settings.hpp"
#include "exec/statistics.hpp"
#include "io/image_history.hpp"

namespace hild::exec {

/// Of a method of order `order`, which stays of it.
[[nodiscard]] constexpr io::ImageHistory::Rule image_rule(const Settings& settings,
                                                          int order) noexcept {
  const int most = static_cast<int>(io::ImageHistory::depth) - 1;
  return {.degrees = {.within = std::min(order - 1, most),
                      .beyond = std::min(settings.extrapolation_under(settings.sampling), most)},
          .spacing = settings.grid.period() / 16,
          .as_taken = settings.samples == Samples::as_taken};
}

class PassInputs {
 public:
  /// `start` stands until the first image; a method of order `order` keeps it.
  PassInputs(const Settings& settings, std::vector<double> start,
             const std::vector<io::SampledInput>& inputs, std::size_t groups, int order,
             Statistics& statistics)
      : settings_(&settings),
        statistics_(&statistics),
        rule_(image_rule(settings, order)),
        images_(inputs, groups, rule_.spacing),
        lost_(inputs),
        u_(std::move(start)) {}

  /// Those of the pass at hand; what is sampled for interlocks alone follows those of the plant.
  [[nodiscard]] std::span<double> of_pass() noexcept { return u_; }
  [[nodiscard]] std::span<const double> of_pass() const noexcept { return u_; }
  /// The instant they belong to.
  [[nodiscard]] MonoTime nominal() const noexcept { return nominal_; }

  [[nodiscard]] io::ImageHistory& images() noexcept { return images_; }
  [[nodiscard]] const io::ImageHistory& images() const noexcept { return images_; }
  [[nodiscard]] const LostInputs& lost() const noexcept { return lost_; }

  /// An image was read, `waited` for or at once, for inputs at `nominal`.
  void accept(MonoTime nominal, bool waited) noexcept {
    images_.accept();
    const Duration late = images_.newest_time() - nominal;
    if (late.ns > settings_->lag.ns && (!waited || late > settings_->late_wake))
      statistics_->late_samples.add();
  }
  /// Once a step: which are lost, and which are back.
  [[nodiscard]] LostInputs::News look_for_lost(MonoTime now, std::int64_t frame) noexcept {
    const LostInputs::News news = lost_.look(images_, now, frame);
    statistics_->lost_inputs.add(news.lost);
    return news;
  }
  /// The inputs of a pass at `nominal`, in the step that was due at `due`.
  void use(MonoTime nominal, MonoTime due) noexcept {
    nominal_ = nominal;
    images_.at(nominal, rule_.at(nominal, due), u_);
    lost_.stand_in(images_, u_);
  }
  /// Between two steps.
  void transfer(Archive& archive) noexcept { archive(images_, lost_, nominal_, u_); }
  /// The inputs at an instant.
  void at(MonoTime nominal, std::span<double> u) const noexcept {
    images_.at(nominal, rule_.degrees, u);
    lost_.stand_in(images_, u);
  }

 private:
  const Settings* settings_;
  Statistics* statistics_;
  io::ImageHistory::Rule rule_;
  io::ImageHistory images_;
  LostInputs lost_;
  MonoTime nominal_{};
  std::vector<double> u_;
};

}  // namespace hild::exec
