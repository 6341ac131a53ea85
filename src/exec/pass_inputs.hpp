// SPDX-License-Identifier: Apache-2.0
/// \file
/// The inputs of the pass at hand, at their nominal time: from images at their true times, or as
/// they are to be carried on where there is none as new; without those that are lost. Real-time
/// safe after construction.
#pragma once

#include <algorithm>

#include "exec/held_inputs.hpp"
#include "exec/lost_inputs.hpp"
#include "exec/settings.hpp"
#include "exec/statistics.hpp"
#include "hild/core/copy_values.hpp"
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
  /// `start` stands until the first image; a method of order `order` keeps it. `events`: the plant
  /// has state events, for which inputs at any instant of a step must be known.
  PassInputs(const Settings& settings, std::vector<double> start,
             const std::vector<io::SampledInput>& inputs, std::size_t groups, int order,
             bool events, Statistics& statistics)
      : settings_(&settings),
        statistics_(&statistics),
        rule_(image_rule(settings, order)),
        images_(inputs, groups, rule_.spacing),
        lost_(inputs),
        held_(inputs, events),
        u_(std::move(start)),
        elsewhere_(u_.size()) {}

  /// Those of the pass at hand; what is sampled for interlocks alone follows those of the plant.
  [[nodiscard]] std::span<double> of_pass() noexcept { return u_; }
  [[nodiscard]] std::span<const double> of_pass() const noexcept { return u_; }
  /// The instant they belong to.
  [[nodiscard]] MonoTime nominal() const noexcept { return nominal_; }

  [[nodiscard]] io::ImageHistory& images() noexcept { return images_; }
  [[nodiscard]] const io::ImageHistory& images() const noexcept { return images_; }
  [[nodiscard]] const LostInputs& lost() const noexcept { return lost_; }

  /// Whether all of them are as they were sampled, and that is all there is to know of them; then
  /// `Plain` below may be said.
  [[nodiscard]] bool plain() const noexcept { return !held_.any() && !lost_.any(); }

  /// Between two steps.
  void transfer(Archive& archive) noexcept { archive(images_, lost_, nominal_, u_); }
  /// A step begins.
  void begin_step() noexcept { held_.begin_step(); }
  /// An image was read, `waited` for or at once, for inputs at `nominal`.
  template <bool Plain>
  void accept(MonoTime nominal, bool waited) noexcept {
    images_.accept();
    if (!Plain && held_.any()) held_.take(nominal, images_.newest());
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
  template <bool Plain>
  void use(MonoTime nominal, MonoTime due) noexcept {
    nominal_ = nominal;
    if (images_.stands_at(nominal)) {
      copy_values(images_.newest(), u_.data());
    } else {
      images_.at(nominal, rule_.at(nominal, due), u_);
    }
    if (!Plain) lost_.stand_in(images_, u_);
  }
  /// The first instant after `after` and before `until` at which a held input changed in this step,
  /// or from which on inputs hold, there being no newer image; else `until`.
  [[nodiscard]] MonoTime next_change(MonoTime after, MonoTime until) const noexcept {
    MonoTime next = held_.next_change(after, until);
    if (rule_.degrees.beyond > 0) return next;
    for (std::size_t g = 0; g < images_.groups(); ++g) {
      const MonoTime newest = images_.newest_time(g);
      if (newest > after && newest < next) next = newest;
    }
    return next;
  }
  /// The inputs at another instant, until the next call; those of the pass stay.
  [[nodiscard]] std::span<double> at(MonoTime nominal) noexcept {
    images_.at(nominal, rule_.degrees, elsewhere_);
    held_.put(nominal, elsewhere_);
    lost_.stand_in(images_, elsewhere_);
    return elsewhere_;
  }

 private:
  const Settings* settings_;
  Statistics* statistics_;
  io::ImageHistory::Rule rule_;
  io::ImageHistory images_;
  LostInputs lost_;
  HeldInputs held_;
  MonoTime nominal_{};
  std::vector<double> u_;
  std::vector<double> elsewhere_;
};

}  // namespace hild::exec
