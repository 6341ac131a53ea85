// SPDX-License-Identifier: Apache-2.0
/// \file
/// The newest images of the inputs, each image group with the instants of its own, and the inputs
/// at any instant: up to the newest image by the polynomial through images at their true times (a
/// sample 4 % of a frame late, used as if on time, makes every method first order), beyond it as
/// they are to be carried on (Bernstein). Real-time safe after construction.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "hild/core/archive.hpp"
#include "hild/core/copy_values.hpp"
#include "hild/io/frame_record.hpp"
#include "io/stretch.hpp"

namespace hild::io {

/// What stands for an input whose newest image is too old.
enum class OnLoss : std::uint8_t {
  safe_stop,   ///< nothing: the run ends safely
  hold,        ///< its last value
  carry_on,    ///< what stands for it beyond its newest image anyway
  substitute,  ///< a declared value
  disarm,      ///< its last value, and outputs take their safe actions until they are armed again
};

struct LossRule {
  Duration max_latency{0};  ///< of its newest image; 0: it may be of any age
  OnLoss then = OnLoss::safe_stop;
  double substitute = 0;  ///< in signal units
};

/// What an input is between two images, and without them.
struct SampledInput {
  std::size_t group = 0;  ///< of images
  bool held = false;      ///< what it was, never interpolated: a digital line, a constant
  /// A larger change from one image to the next is a jump: the history of its group begins anew.
  double jump = std::numeric_limits<double>::infinity();
  LossRule loss{};
};

class ImageHistory {
 public:
  static constexpr std::size_t depth = 4;
  /// RTRK-4 keeps its order through steps of 2.3 frames with 64, not with 32. Far beyond, a
  /// converter's last bit would outweigh the signal.
  static constexpr double largest_gain = 64;

  /// Degrees of the polynomial, each less than depth; 0 holds.
  struct Degrees {
    int within = 0;  ///< at or before the newest image
    int beyond = 0;  ///< after it
  };

  /// How inputs follow from images.
  struct Rule {
    Degrees degrees;
    Duration spacing{};     ///< images of a group closer together than this count as one
    bool as_taken = false;  ///< the newest image stands for a nominal time that lies before it

    /// Of a pass at `nominal`, in a step that was due at `due`: one that runs behind on purpose has
    /// images after its nominal time in any case.
    [[nodiscard]] constexpr Degrees at(MonoTime nominal, MonoTime due) const noexcept {
      return {as_taken && nominal >= due ? 0 : degrees.within, degrees.beyond};
    }
  };

  /// There is a group at least. Images of a group closer together than `spacing` count as one, so
  /// that those taken while a run catches up do not push out the older ones that a polynomial
  /// needs.
  ImageHistory(const std::vector<SampledInput>& inputs, std::size_t groups, Duration spacing);
  ImageHistory(const ImageHistory&) = delete;
  ImageHistory& operator=(const ImageHistory&) = delete;

  /// Where the next image is to be read into, and the instants of its groups; accept() makes it the
  /// newest. In a group it replaces one that is less than `spacing` older, or just as old (of a
  /// slow device).
  [[nodiscard]] std::span<double> incoming() noexcept { return incoming_; }
  [[nodiscard]] std::span<MonoTime> instants() noexcept { return instants_; }
  [[nodiscard]] std::span<const MonoTime> instants() const noexcept { return instants_; }
  void accept() noexcept {
    if (!single_) return accept_groups();
    Group& group = groups_.front();
    if (!take(group, instants_.front())) copy(group, group.rows[0]);
    newest_time_ = group.newest;
    const std::size_t size = newest_.size();
    newest_ = {group.rows[0], size};
    incoming_ = {group.rows.back(), size};
  }
  /// As before the first image.
  void clear() noexcept {
    for (Group& group : groups_) group.known = 0;
  }
  /// Of a group only its newest image counts from here on.
  void forget(std::size_t group) noexcept { groups_[group].known = 1; }

  /// All inputs as they were read last.
  [[nodiscard]] std::span<const double> newest() const noexcept { return newest_; }
  /// When a group was made last; it has an image.
  [[nodiscard]] MonoTime newest_time(std::size_t group) const noexcept {
    return groups_[group].newest;
  }
  /// When the youngest was; before the first image that of none.
  [[nodiscard]] MonoTime newest_time() const noexcept { return newest_time_; }

  /// Inputs at `t`, of a lower degree than asked for where images are too few, or where it would
  /// amplify noise beyond `largest_gain`.
  void at(MonoTime t, Degrees degrees, std::span<double> u) const noexcept {
    for (const Group& group : groups_) {
      const Duration after = t - group.newest;
      if (after.ns == 0 || group.known < 2) {
        hold(group, group.all, u.data());
      } else {
        between(group, after, degrees, u.data());
      }
    }
  }
  /// Whether the inputs at `t` are those of the newest image, whatever the degrees.
  [[nodiscard]] bool stands_at(MonoTime t) const noexcept { return single_ && t == newest_time_; }

  [[nodiscard]] std::size_t groups() const noexcept { return groups_.size(); }
  /// All inputs.
  [[nodiscard]] std::size_t size() const noexcept { return newest_.size(); }

  /// The images that are kept.
  void transfer(Archive& archive) noexcept;

 private:
  struct Watched {
    std::size_t input, place;
    double jump;
  };
  struct Group {
    std::vector<Stretch> interpolated, held, all;  // from an image to the rows of the group
    std::vector<Watched> watched;
    std::size_t size = 0;  // of its inputs
    // Of the images that are kept, the newest first: the inputs, and how many ns after the newest
    // they were made, so 0 and less. One row more, the last, is free for what comes in.
    std::array<double*, depth + 1> rows{};
    std::array<double, depth> after_newest{};
    std::size_t known = 0;
    MonoTime newest{};
    std::vector<double> values;  // of all rows
  };

  // Whether the image is one more; else it replaces the newest.
  [[nodiscard]] bool take(Group& group, MonoTime sampled) noexcept {
    if (!group.watched.empty()) begin_anew_after_jump(group);
    const Duration since = sampled - group.newest;
    const auto later = static_cast<double>(since.ns);
    const bool more = group.known == 0 || since > spacing_;
    auto& [newest, s1, s2, s3] = group.after_newest;
    if (more) {
      group.known = std::min(group.known + 1, depth);
      auto& [r0, r1, r2, r3, r4] = group.rows;
      group.rows = {r4, r0, r1, r2, r3};
      s3 = s2, s2 = s1, s1 = 0;
    }
    if (more || since.ns > 0) {
      s1 -= later, s2 -= later, s3 -= later;
      group.newest = sampled;
    }
    return more;
  }
  [[gnu::noinline]] void accept_groups() noexcept;
  [[gnu::noinline]] void begin_anew_after_jump(Group& group) noexcept;
  [[gnu::noinline]] void copy(const Group& group, double* row) noexcept;
  void find_newest_time() noexcept;
  static void between(const Group& group, Duration after_newest, Degrees degrees,
                      double* u) noexcept;
  static void hold(const Group& group, std::span<const Stretch> runs, double* u) noexcept {
    const double* const row = group.rows[0];
    for (const Stretch& run : runs) copy_values({row + run.to, run.count}, u + run.from);
  }
  template <std::size_t Points>
  [[nodiscard]] static bool combine(const Group& group, Duration after_newest, double* u) noexcept;

  Duration spacing_;
  std::vector<Group> groups_;
  std::vector<MonoTime> made_;
  std::span<MonoTime> instants_;  // made_
  std::vector<double> whole_;     // an image as it comes in of several groups, or is loaded
  std::span<double> incoming_;
  std::span<const double> newest_;
  MonoTime newest_time_{};
  bool single_;  // one group: images are read into its rows at once
};

}  // namespace hild::io
