// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a gateway does with all that comes of one node: which run and which plan of it are taken,
/// which value is which input, in which unit, and when it was made by the clock of this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/dds/page.hpp"
#include "drivers/dds/task.hpp"
#include "hild/core/units.hpp"

namespace hild::dds {

/// A number for names and units in their order: plans that have another differ.
[[nodiscard]] std::uint64_t plan_number(std::span<const SignalName> signals) noexcept;

/// Of one node, of as many runs in its name; the latest are kept.
inline constexpr std::size_t most_plans = 8;

/// A plan, as it came.
struct PeerPlan {
  std::uint64_t run = 0;
  std::uint64_t plan = 0;
  std::int64_t utc_behind_tai = 0;
  std::vector<SignalName> signals{};
};

/// Values, as they came.
struct PeerSample {
  std::uint64_t run = 0;
  std::uint64_t plan = 0;
  std::uint64_t number = 0;
  std::int64_t origin = 0;  ///< nanoseconds of TAI
  std::span<const double> values{};
};

/// The clocks of this machine when something came.
struct Arrival {
  MonoTime now{};
  Duration tai_ahead{};  ///< of the monotonic clock
  std::int64_t utc_behind_tai = 0;
};

class Inbox {
 public:
  /// `counts` outlives it, as does the page of `images`.
  Inbox(NodeInputs wanted, const TwoImages& images, GatewayCounts& counts);

  [[nodiscard]] std::string_view node() const noexcept { return wanted_.node.view(); }

  /// A plan has come of `writer`, in place of what came of it before; `utc_behind_tai`: of this
  /// machine. Of several runs the latest one counts. Words where it does not have what is wanted;
  /// nothing of it is taken then.
  [[nodiscard]] std::string take_plan(PeerPlan plan, std::uint64_t writer,
                                      std::int64_t utc_behind_tai);
  /// That one is there no more: the latest run of those that are counts. Words as above.
  [[nodiscard]] std::string lose_writer(std::uint64_t writer, std::int64_t utc_behind_tai);
  /// Values have come.
  void take_sample(const PeerSample& sample, const Arrival& at);

 private:
  struct Source {
    std::size_t index;  // among the values of the node
    UnitConversion unit;
  };
  struct Run {
    std::uint64_t run;
    std::uint64_t plan;
    std::int64_t utc_behind_tai;
    std::size_t values;           // that a sample has
    std::vector<Source> sources;  // of each input; empty: they do not fit
    std::optional<std::uint64_t> newest;
  };
  /// A plan, with who tells it.
  struct Told {
    std::uint64_t writer;
    PeerPlan plan;
  };
  [[nodiscard]] bool keep(PeerPlan plan, std::uint64_t writer);
  [[nodiscard]] std::string follow_latest(std::int64_t utc_behind_tai);
  [[nodiscard]] std::string follow(const PeerPlan& plan, std::int64_t utc_behind_tai);
  [[nodiscard]] std::string find_sources(const PeerPlan& plan, std::vector<Source>& sources) const;
  [[nodiscard]] bool in_order(std::uint64_t number);

  NodeInputs wanted_;
  TwoImages images_;
  GatewayCounts* counts_;
  std::vector<Told> told_;  // by those that are there
  std::optional<Run> run_;  // the latest of them
  std::vector<double> incoming_;
};

}  // namespace hild::dds
