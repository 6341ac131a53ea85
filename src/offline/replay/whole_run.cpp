// SPDX-License-Identifier: Apache-2.0
#include "offline/replay/whole_run.hpp"

#include <algorithm>
#include <limits>
#include <variant>

namespace hild::replay {
namespace {

class Loading {
 public:
  Loading(const plan::Assembly& assembly, StepSource& source, WholeRun& run)
      : lag_(assembly.config.settings.lag),
        grid_(assembly.config.settings.grid),
        source_(source),
        run_(run) {}

  Result<void> step(const io::FrameView& record) {
    const io::FrameHeader& h = record.header();
    if (h.step != next_) {
      return fail(
          "steps {} to {} are missing: a comparison needs every step from the first on "
          "(record.frames: all, no trigger)",
          next_, h.step - 1);
    }
    if (h.frozen) {
      return fail("frame {}: the plant was held there, which its solution knows nothing of",
                  h.frame);
    }
    ++next_;
    if (auto done = settings(h); !done) return done;
    const auto images =
        std::min(static_cast<std::size_t>(std::max(h.images, 0)), source_.layout().images());
    offsets_.clear();
    for (std::size_t i = 0; i < images; ++i) {
      for (const MonoTime t : record.instants(i)) offsets_.push_back(t - h.due);
      add_image(h.t, std::span(offsets_).last(source_.layout().groups()), record.image(i));
    }
    add_offsets(h);
    run_.frames = h.frame + h.span;
    run_.states.add(run_.frames, record.states());
    return {};
  }

 private:
  // A plant that runs behind uses at t what was sampled earlier.
  void add_image(SimTime tick, std::span<const Duration> offsets, std::span<const double> u) {
    instants_.clear();
    for (const Duration d : offsets) instants_.push_back(tick + d + lag_);
    run_.inputs.add(instants_, u);
  }
  // A frame given up with others has none, nor has one in which there was something to catch up.
  void add_offsets(const io::FrameHeader& h) {
    const Duration period = grid_.tick(h.frame + 1) - grid_.tick(h.frame);
    const bool within = std::ranges::all_of(offsets_, [&](Duration d) { return d < period; });
    run_.offsets.add(h.slept && h.span == 1 && within ? offsets_ : std::vector<Duration>{});
    for (std::int64_t more = h.span; more > 1; --more) run_.offsets.add({});
  }
  // What took effect at the start of the step.
  Result<void> settings(const io::FrameHeader& h) {
    for (std::int64_t left = h.external_events; left > 0;) {
      const exec::Transaction* const t = source_.next_accepted();
      if (t == nullptr) {
        return fail("step {}: what took effect at its start was not recorded", h.step);
      }
      left -= t->count;
      for (const exec::Change& c : t->changes()) {
        if (std::holds_alternative<exec::Mark>(c)) continue;
        const auto* const set = std::get_if<exec::SetParameter>(&c);
        if (set == nullptr) {
          return fail(
              "frame {}: the run was steered from outside by more than parameters, which "
              "the solution of its model knows nothing of",
              h.frame);
        }
        run_.inputs.add({h.frame, h.t, set->parameter, set->value, set->restart});
      }
    }
    return {};
  }

  Duration lag_;
  Grid grid_;
  StepSource& source_;
  WholeRun& run_;
  std::vector<SimTime> instants_;
  std::vector<Duration> offsets_;  // of the images of a step
  std::int64_t next_ = 0;
};

}  // namespace

void WholeRun::cut(const Grid& grid) {
  auto& ticks = states.ticks;
  const bool driven = inputs.last() > SimTime{std::numeric_limits<std::int64_t>::min()};
  while (driven && !ticks.empty() && SimTime{} + grid.tick(ticks.back()) > inputs.last()) {
    ticks.pop_back();
    states.values.resize(ticks.size() * states.size);
  }
  frames = ticks.empty() ? 0 : ticks.back();
}

Result<WholeRun> WholeRun::read(const plan::Assembly& assembly, StepSource& source) {
  std::vector<io::SampledInput> sampled = assembly.bus->sampled_inputs();
  const std::size_t inputs = assembly.config.model.description.inputs.size();
  sampled.resize(inputs);
  WholeRun run{RecordedInputs(sampled, assembly.bus->groups()), {}, {}, 0};
  run.states.size = source.layout().states();
  if (run.states.size != assembly.config.model.description.states.size() ||
      source.layout().sampled() < inputs || source.layout().groups() != assembly.bus->groups()) {
    return fail(
        "the record is not of this model: it has {} states and {} sampled inputs in {} groups",
        run.states.size, source.layout().sampled(), source.layout().groups());
  }
  Loading loading(assembly, source, run);
  while (const std::byte* const record = source.next()) {
    if (auto done = loading.step(io::FrameView(source.layout(), record)); !done) {
      return tl::make_unexpected(done.error());
    }
  }
  run.cut(assembly.config.settings.grid);
  if (run.frames == 0) {
    return fail("it holds too few frames: a comparison needs every one (record.frames: all)");
  }
  return run;
}

}  // namespace hild::replay
