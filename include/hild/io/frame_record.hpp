// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the loop tells of one step: a fixed-size record that goes through a ring to threads that
/// are not real-time. A header, then arrays whose sizes are fixed at load.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string_view>

#include "hild/core/copy_values.hpp"
#include "hild/core/time.hpp"
#include "hild/io/options.hpp"

namespace hild::io {

/// Phases of a frame. Their times come from one clock and add up to the frame exactly.
enum class Phase : std::uint8_t {
  wake,     ///< from the tick, or a release waited for, to the first instruction after it
  device,   ///< device calls, those of late passes included
  commit,   ///< external events taking effect
  passes,   ///< evaluation of the derivatives, all passes
  workers,  ///< waiting, awake, for models that run on other CPUs
  wait,     ///< sleeping for a release within the step, up to it
  events,   ///< state and time events: interpolation, partial steps, actions
  outputs,  ///< closing the step: the new state checked, the outputs computed
  record,   ///< meters and this record
  slack,    ///< external events served in the slack
  idle,     ///< sleeping for the next tick
};
inline constexpr std::size_t phase_count = 11;  ///< enumerators of Phase
/// The word for it in logs, metrics and answers, spelt as here; lives for ever.
[[nodiscard]] std::string_view to_string(Phase phase) noexcept;

/// Why a step ended late.
enum class Cause : std::uint8_t {
  none,            ///< it ended in time
  late_wake,       ///< the work alone would have fitted
  carried,         ///< it would have fitted had the step before not ended late
  device,          ///< the phase that took most beyond its usual time
  pass,            ///< likewise
  state_event,     ///< likewise
  external_event,  ///< likewise, or what was served before the step took too long
  unknown,         ///< nothing of this accounts for it
  page_fault,      ///< by evidence of the kernel, found after the step: the loop itself cannot tell
  preemption,      ///< likewise
  host,            ///< likewise: the machine under a virtual one had its CPU
  worker,          ///< a model on another CPU kept it waiting
};
inline constexpr std::size_t cause_count = 12;  ///< enumerators of Cause
/// The word for it in logs, metrics and answers, spelt as here; lives for ever.
[[nodiscard]] std::string_view to_string(Cause cause) noexcept;

/// What a model was cut short in, because every loop is bounded.
enum class Cap : std::uint8_t {
  state_events,          ///< more in a frame than `max_events`: the rest acts in the next
  time_events,           ///< likewise
  event_iterations,      ///< an event that the model was not done with
  zero_advance,          ///< a time event that did not lie ahead
  step_parts,            ///< a step that the model did not complete
  late_answers,          ///< a call that a model in a process of its own did not answer in time
  algebraic_iterations,  ///< algebraic variables that were not found within the iterations
  late_steps,            ///< a step in the background that was not done when it was due
};
inline constexpr std::size_t cap_count = 8;  ///< enumerators of Cap
/// The word for it in logs, metrics and answers, spelt as here; lives for ever.
[[nodiscard]] std::string_view to_string(Cap cap) noexcept;
/// The function of the model it is due to.
[[nodiscard]] std::string_view function_of(Cap cap) noexcept;

inline constexpr std::size_t most_cappers = 32;  ///< models that a cap is told of by name

inline constexpr std::size_t max_slots = 1024;  ///< passes of one step, over all models

/// Writes of one step that its record tells, where other nodes hear of them: at its tick, early,
/// and within it. Those beyond them are left out.
inline constexpr std::size_t most_writes = 8;

/// The part of a record that every model has. One just made tells of an empty step.
struct FrameHeader {
  std::int64_t step = 0;             ///< counts steps from 0
  std::int64_t frame = 0;            ///< simulated frame the step starts at
  SimTime t{};                       ///< its time
  MonoTime due{};                    ///< the tick it was due at
  MonoTime start{};                  ///< when its first device call began
  MonoTime end{};                    ///< when its work ended
  MonoTime deadline{};               ///< the tick its outputs are due at
  Duration lateness{};               ///< end - deadline, > 0 in an overrun
  std::int32_t span = 1;             ///< frames the step covers
  std::int32_t slipped = 0;          ///< frames given up before this step
  std::int32_t passes = 0;           ///< passes it took
  std::int32_t state_events = 0;     ///< acted on, those left over by the step before included
  std::int32_t external_events = 0;  ///< changes from outside that took effect
  Cause cause = Cause::none;         ///< why it ended late
  bool late_wake = false;       ///< a wake-up was later than the `late_wake` of the configuration
  bool starter = false;         ///< a one-step starter stood in for the multistep method
  bool frozen = false;          ///< the plant was held
  bool limited = false;         ///< held because an overrun limit was reached, else as asked for
  bool early = false;           ///< completed by the single-pass companion of the method
  bool slept = false;           ///< it waited for its tick, else it started late
  std::uint8_t capped = 0;      ///< a bit for each Cap that was reached
  std::int32_t images = 0;      ///< input images read; the layout may hold fewer of them
  std::uint32_t mark = 0;       ///< set from outside: the trigger of a recording; 0: none
  std::uint32_t capped_by = 0;  ///< of several models a bit for each of the first 32 that did so
  /// Estimated error in 1e-9 of the size of its state, from 1 to 4e9: of this step, or of the one
  /// before where the method is explicit and has no embedded pair; 0: not known.
  std::uint32_t error_ppb = 0;
  /// Of an overrun whose cause is `worker`: the model that kept it waiting, by its number.
  std::uint32_t waited_for = 0;
  std::uint32_t late_models = 0;  ///< a bit for each model in the background that is late here
  std::uint32_t alarms = 0;       ///< a bit for each alarm that is active at its end
  /// A bit for each that is open: active, or latched and not yet acknowledged.
  std::uint32_t alarms_open = 0;
  /// `record`, `slack` and `idle` are those of the step before: this record is written first.
  std::array<Duration, phase_count> phases{};
};

/// When a model that is run beside others had its part of a step, or of one of its nodes, and who
/// ran it.
struct ModelRun {
  Duration start{};         ///< from the tick the step was due at
  std::int32_t took = 0;    ///< ns; what is longer is cut
  std::uint16_t model = 0;  ///< its number
  std::int16_t worker = 0;  ///< -1: the thread of the loop; in_background: a thread of its own
};
inline constexpr std::int16_t in_background = INT16_MAX - 1;  ///< ModelRun::worker
static_assert(sizeof(ModelRun) == 16);

/// Where the arrays of a record are: for each pass the instant its inputs belong to, its cost, how
/// many images had been read before it, and its inputs, falsified and interpolated as it used them;
/// then outputs; then states; then the input images as they were read, each with the instants of
/// its groups, whether it was waited for, and the raw counts of those inputs whose converter has
/// them; then the runs of models, with the number of the step they belong to and how many they are;
/// then what was written to the lines that other nodes hear of, each time with its instant. Only
/// the first `passes` and `images` of the header are written. Fixed at load.
class FrameLayout {
 public:
  FrameLayout() = default;
  /// `sampled` inputs are read in `groups` image groups, of which the first `inputs` are the
  /// plant's and `counted` have raw counts. `runs`: of models, where some are run beside others.
  /// `heard`: lines that other nodes hear of.
  FrameLayout(std::size_t passes, std::size_t inputs, std::size_t outputs, std::size_t states,
              std::size_t images = 0, std::size_t sampled = 0, std::size_t counted = 0,
              std::size_t groups = 1, std::size_t runs = 0, std::size_t heard = 0)
      : passes_(passes),
        inputs_(inputs),
        outputs_(outputs),
        states_(states),
        pass_bytes_(8 * (3 + inputs)),
        outputs_at_(sizeof(FrameHeader) + passes * pass_bytes_),
        states_at_(outputs_at_ + 8 * outputs),
        images_(images),
        sampled_(sampled),
        counted_(counted),
        groups_(groups),
        image_bytes_(8 * (1 + groups + sampled + (counted + 1) / 2)),
        images_at_(states_at_ + 8 * states),
        runs_(runs),
        heard_(heard) {}

  /// The size of a whole record, a multiple of 8.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return writes_at() + (heard_ > 0 ? 8 + most_writes * write_bytes() : 0);
  }
  /// The most passes a record holds.
  [[nodiscard]] std::size_t passes() const noexcept { return passes_; }
  /// Inputs of the plant, of which each pass has a value.
  [[nodiscard]] std::size_t inputs() const noexcept { return inputs_; }
  /// Outputs of the plant.
  [[nodiscard]] std::size_t outputs() const noexcept { return outputs_; }
  /// States of the plant.
  [[nodiscard]] std::size_t states() const noexcept { return states_; }
  /// The most input images a record holds.
  [[nodiscard]] std::size_t images() const noexcept { return images_; }
  /// Values of an input image; the first inputs() are those of the plant.
  [[nodiscard]] std::size_t sampled() const noexcept { return sampled_; }
  /// Raw counts of an input image.
  [[nodiscard]] std::size_t counted() const noexcept { return counted_; }
  /// Image groups, of each of which an input image has an instant.
  [[nodiscard]] std::size_t groups() const noexcept { return groups_; }
  /// The most runs of models a record holds; 0: none is run beside others.
  [[nodiscard]] std::size_t runs() const noexcept { return runs_; }
  /// Lines that other nodes hear of, of which each write has a value; 0: no writes are recorded.
  [[nodiscard]] std::size_t heard() const noexcept { return heard_; }

 private:
  friend class FrameView;
  friend class FrameSlot;
  [[nodiscard]] std::size_t pass_at(std::size_t pass) const noexcept {
    return sizeof(FrameHeader) + pass * pass_bytes_;
  }
  [[nodiscard]] std::size_t outputs_at() const noexcept { return outputs_at_; }
  [[nodiscard]] std::size_t states_at() const noexcept { return states_at_; }
  [[nodiscard]] std::size_t image_at(std::size_t image) const noexcept {
    return images_at_ + image * image_bytes_;
  }
  [[nodiscard]] std::size_t runs_at() const noexcept { return image_at(images_); }
  [[nodiscard]] std::size_t writes_at() const noexcept {
    return runs_at() + (runs_ > 0 ? 16 + runs_ * sizeof(ModelRun) : 0);
  }
  [[nodiscard]] std::size_t write_bytes() const noexcept { return 8 * (1 + heard_); }
  [[nodiscard]] std::size_t write_at(std::size_t write) const noexcept {
    return writes_at() + 8 + write * write_bytes();
  }

  std::size_t passes_ = 0;
  std::size_t inputs_ = 0;
  std::size_t outputs_ = 0;
  std::size_t states_ = 0;
  std::size_t pass_bytes_ = 24;
  std::size_t outputs_at_ = sizeof(FrameHeader);
  std::size_t states_at_ = sizeof(FrameHeader);
  std::size_t images_ = 0;
  std::size_t sampled_ = 0;
  std::size_t counted_ = 0;
  std::size_t groups_ = 1;
  std::size_t image_bytes_ = 16;
  std::size_t images_at_ = sizeof(FrameHeader);
  std::size_t runs_ = 0;
  std::size_t heard_ = 0;
};

/// A record being read. The slot is aligned to 8 bytes.
class FrameView {
 public:
  /// `slot` holds a whole record of that layout. Both outlive it, and the slot what the view hands
  /// out.
  FrameView(const FrameLayout& layout, const std::byte* slot) noexcept
      : layout_(&layout), slot_(slot) {}

  /// Tells how many passes and images there are to be read.
  [[nodiscard]] const FrameHeader& header() const noexcept {
    return *reinterpret_cast<const FrameHeader*>(slot_);
  }
  /// How many passes it holds, which may be fewer than were run: a step cut at time events runs
  /// those of its parts.
  [[nodiscard]] std::size_t passes() const noexcept {
    return std::min(static_cast<std::size_t>(std::max(header().passes, 0)), layout_->passes());
  }
  /// The instant the inputs of a pass belong to. Precondition here and below: pass < passes().
  [[nodiscard]] MonoTime nominal(std::size_t pass) const noexcept {
    return {number(layout_->pass_at(pass))};
  }
  /// What the pass took.
  [[nodiscard]] Duration cost(std::size_t pass) const noexcept {
    return {number(layout_->pass_at(pass) + 8)};
  }
  /// How many images of the step had been read before it.
  [[nodiscard]] std::int64_t images_before(std::size_t pass) const noexcept {
    return number(layout_->pass_at(pass) + 16);
  }
  /// The inputs the pass used, as many as the plant has, falsified and interpolated, in signal
  /// units.
  [[nodiscard]] std::span<const double> inputs(std::size_t pass) const noexcept {
    while (as_before(pass)) --pass;
    return get(layout_->pass_at(pass) + 24, layout_->inputs());
  }
  /// Whether a pass used the inputs of the pass before it: they are of the same instant, and no
  /// image was read in between.
  [[nodiscard]] bool as_before(std::size_t pass) const noexcept {
    return pass > 0 && nominal(pass) == nominal(pass - 1) &&
           images_before(pass) == images_before(pass - 1);
  }
  /// When the groups of an input image were made, as Sampler::exchange() said. Precondition here
  /// and below: image < header().images, and image < the images() of the layout.
  [[nodiscard]] std::span<const MonoTime> instants(std::size_t image) const noexcept {
    return {reinterpret_cast<const MonoTime*>(slot_ + layout_->image_at(image) + 8),
            layout_->groups()};
  }
  /// Whether the loop waited for the instant at which it was to be read.
  [[nodiscard]] bool image_waited(std::size_t image) const noexcept {
    return number(layout_->image_at(image)) != 0;
  }
  /// All inputs as they were read, in signal units, those of the plant first.
  [[nodiscard]] std::span<const double> image(std::size_t image) const noexcept {
    return get(values_of(image), layout_->sampled());
  }
  /// How many images it holds, which may be fewer than were read.
  [[nodiscard]] std::size_t images() const noexcept {
    return std::min(static_cast<std::size_t>(std::max(header().images, 0)), layout_->images());
  }
  /// The image that was read at the tick: in the first step of a run it follows those from before.
  [[nodiscard]] std::size_t tick_image() const noexcept {
    const std::int64_t before = header().passes > 0 ? images_before(0) : header().images;
    const auto most = std::max<std::int64_t>(static_cast<std::int64_t>(layout_->images()), 1);
    return static_cast<std::size_t>(std::clamp<std::int64_t>(before, 1, most) - 1);
  }
  /// Raw counts of the inputs that have them, in their order.
  [[nodiscard]] std::span<const std::uint32_t> image_counts(std::size_t image) const noexcept {
    const std::size_t at = values_of(image) + 8 * layout_->sampled();
    return {reinterpret_cast<const std::uint32_t*>(slot_ + at), layout_->counted()};
  }
  /// All outputs at the end of the step, in signal units.
  [[nodiscard]] std::span<const double> outputs() const noexcept {
    return get(layout_->outputs_at(), layout_->outputs());
  }
  /// All states at the end of the step.
  [[nodiscard]] std::span<const double> states() const noexcept {
    return get(layout_->states_at(), layout_->states());
  }
  /// The runs of models in the step, in the order of their nodes; of more than the layout has room
  /// for, the first ones.
  [[nodiscard]] std::span<const ModelRun> runs() const noexcept {
    if (layout_->runs() == 0 || number(layout_->runs_at()) != header().step) return {};
    const auto told = static_cast<std::size_t>(number(layout_->runs_at() + 8));
    return {reinterpret_cast<const ModelRun*>(slot_ + layout_->runs_at() + 16),
            std::min(told, layout_->runs())};
  }
  /// How many writes of the step it holds that other nodes hear of; of those beyond most_writes
  /// nothing is known.
  [[nodiscard]] std::size_t writes() const noexcept {
    if (layout_->heard() == 0) return 0;
    return std::min(
        static_cast<std::size_t>(std::max<std::int64_t>(number(layout_->writes_at()), 0)),
        most_writes);
  }
  /// When a write was begun. Precondition here and below: write < writes().
  [[nodiscard]] MonoTime written_at(std::size_t write) const noexcept {
    return {number(layout_->write_at(write))};
  }
  /// What the lines that other nodes hear of were given, in the units of their channels.
  [[nodiscard]] std::span<const double> written(std::size_t write) const noexcept {
    return get(layout_->write_at(write) + 8, layout_->heard());
  }

 private:
  [[nodiscard]] std::size_t values_of(std::size_t image) const noexcept {
    return layout_->image_at(image) + 8 * (1 + layout_->groups());
  }
  [[nodiscard]] std::int64_t number(std::size_t at) const noexcept {
    std::int64_t n = 0;
    std::memcpy(&n, slot_ + at, 8);
    return n;
  }
  [[nodiscard]] std::span<const double> get(std::size_t at, std::size_t n) const noexcept {
    return {reinterpret_cast<const double*>(slot_ + at), n};
  }
  const FrameLayout* layout_;
  const std::byte* slot_;
};

/// A record being written in a ring slot. Real-time safe.
class FrameSlot {
 public:
  /// `slot` has layout.bytes() bytes and is aligned to 8. Both outlive it. begin() comes before all
  /// else.
  FrameSlot(const FrameLayout& layout, std::byte* slot) noexcept : layout_(&layout), slot_(slot) {}

  /// Puts an empty header in its place, to be completed.
  void begin() noexcept {
    new (slot_) FrameHeader{};
    if (layout_->heard() > 0) begin_writes();
  }
  /// Empties of a header that was there before what a step adds up to. For who writes all else when
  /// the step ends.
  void begin_anew() noexcept {
    FrameHeader& h = header();
    h.passes = h.state_events = h.external_events = h.images = 0;
    h.cause = Cause::none;
    h.late_wake = h.starter = h.frozen = h.limited = h.early = h.slept = false;
    h.capped = 0;
    h.mark = h.capped_by = h.error_ppb = h.late_models = 0;
  }
  /// Empties besides that what only some runs have: runs of models, writes that others hear of.
  void begin_rest() noexcept {
    if (layout_->runs() > 0) begin_runs(-1);
    if (layout_->heard() > 0) begin_writes();
  }
  /// The header begin() put there, to be written in place.
  [[nodiscard]] FrameHeader& header() noexcept {
    return *std::launder(reinterpret_cast<FrameHeader*>(slot_));
  }
  /// The same record, to be read.
  [[nodiscard]] FrameView view() const noexcept { return {*layout_, slot_}; }
  /// The inputs a pass used, the instant they belong to, and what the pass took. Of the same
  /// instant and images as those of the pass before they are the same, and stand there.
  void pass(std::size_t pass, MonoTime nominal, Duration cost, std::span<const double> u) noexcept {
    const FrameView view(*layout_, slot_);
    std::byte* const at = slot_ + layout_->pass_at(pass);
    const std::int64_t images = header().images;
    std::memcpy(at, &nominal.ns, 8);
    std::memcpy(at + 8, &cost.ns, 8);
    std::memcpy(at + 16, &images, 8);
    if (!view.as_before(pass)) copy_values(u, reinterpret_cast<double*>(at + 24));
  }
  /// One more run of a model in step `step`; one beyond those the layout holds is left out.
  /// Precondition: the layout has runs.
  void run(std::int64_t step, const ModelRun& run) noexcept {
    std::array<std::int64_t, 2> head{};  // the step that those told belong to, and how many
    std::byte* const at = slot_ + layout_->runs_at();
    std::memcpy(head.data(), at, sizeof head);
    if (head[0] != step || head[1] < 0) head = {step, 0};
    const auto told = static_cast<std::size_t>(head[1]);
    if (told < layout_->runs()) {
      std::memcpy(at + sizeof head + told * sizeof run, &run, sizeof run);
      ++head[1];
    }
    std::memcpy(at, head.data(), sizeof head);
  }
  /// None yet, of that step.
  void begin_runs(std::int64_t step) noexcept {
    const std::array<std::int64_t, 2> head{step, 0};
    std::memcpy(slot_ + layout_->runs_at(), head.data(), sizeof head);
  }
  /// One more write at `at` that other nodes hear of, whose values are to be put into the result;
  /// one beyond those it holds is left out, and its result is empty. Precondition: the layout has
  /// lines that are heard.
  [[nodiscard]] std::span<double> write(MonoTime at) noexcept {
    std::int64_t made = 0;
    std::memcpy(&made, slot_ + layout_->writes_at(), 8);
    if (made >= static_cast<std::int64_t>(most_writes)) return {};
    const std::size_t place = layout_->write_at(static_cast<std::size_t>(made++));
    std::memcpy(slot_ + layout_->writes_at(), &made, 8);
    std::memcpy(slot_ + place, &at.ns, 8);
    return {reinterpret_cast<double*>(slot_ + place + 8), layout_->heard()};
  }
  /// An input image with an instant for each group, of which there is one at least; one beyond
  /// those the layout holds is only counted.
  void image(std::span<const MonoTime> sampled, bool waited, std::span<const double> u,
             std::span<const std::uint32_t> counts = {}) noexcept {
    const auto image = static_cast<std::size_t>(header().images++);
    if (image >= layout_->images()) return;
    std::byte* at = slot_ + layout_->image_at(image);
    const std::int64_t flag = waited ? 1 : 0;
    std::memcpy(at, &flag, 8);
    at += 8;
    const MonoTime* instant = sampled.data();
    std::size_t left = sampled.size();
    do {
      std::memcpy(at, &instant->ns, 8);
      at += 8, ++instant;
    } while (--left > 0);
    copy_values(u, reinterpret_cast<double*>(at));
    copy_few(counts.data(), counts.size(), at + 8 * u.size());
  }
  /// All outputs; whether all are finite: what is not has an exponent of ones.
  bool outputs(std::span<const double> y) noexcept {
    constexpr std::uint64_t exponent = 0x7FF0'0000'0000'0000U;
    auto* place = reinterpret_cast<double*>(slot_ + layout_->outputs_at());
    std::uint64_t most = 0;
    for (const double v : y) {
      *place++ = v;
      most = std::max(most, std::bit_cast<std::uint64_t>(v) & exponent);
    }
    return most != exponent;
  }
  /// All states; whether each is within its range of `plausible`, one for each of x. What is not a
  /// number is in none.
  bool states(std::span<const double> x, std::span<const Interval> plausible) noexcept {
    auto* place = reinterpret_cast<double*>(slot_ + layout_->states_at());
    std::size_t i = 0;
    while (i < x.size() && x[i] >= plausible[i].low && x[i] <= plausible[i].high) {
      place[i] = x[i];
      ++i;
    }
    if (i == x.size()) [[likely]]
      return true;
    std::ranges::copy(x.subspan(i), place + i);
    return false;
  }

 private:
  void begin_writes() noexcept { std::memset(slot_ + layout_->writes_at(), 0, 8); }
  const FrameLayout* layout_;
  std::byte* slot_;
};

}  // namespace hild::io
