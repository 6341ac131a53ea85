// SPDX-License-Identifier: Apache-2.0
#include "framelog/encoder.hpp"

#include <algorithm>
#include <cstring>

#include "framelog/changes.hpp"
#include "record/words.hpp"

namespace hild::framelog {
namespace {

template <class Number>
void put(std::byte* place, Number n) {
  std::memcpy(place, &n, sizeof n);
}

/// The raw counts of the inputs that are recorded.
std::vector<bool> selected_counts(const Signals& signals, const std::vector<bool>& inputs) {
  std::vector<bool> selected;
  for (const SignalName& count : signals.counts) {
    const auto input = std::ranges::find(signals.inputs, count.name, &SignalName::name);
    const auto i = static_cast<std::size_t>(input - signals.inputs.begin());
    selected.push_back(i < inputs.size() && inputs[i]);
  }
  return selected;
}

// Divided, so that 3 ms read 0.003.
double in_seconds(SimTime t) { return static_cast<double>(t.ns) / 1e9; }

}  // namespace

Encoder::Encoder(const Description& description, const io::FrameLayout& layout,
                 const config::Record& settings)
    : clock_(description.clock),
      frame_schema_{channel_of(Topic::frame), std::string(frame_schema),
                    std::string(frame_schema_encoding), frame_table(layout, description.signals)},
      store_(layout),
      inputs_(stream(Topic::inputs, description.signals.inputs, settings.inputs)),
      outputs_(stream(Topic::outputs, description.signals.outputs, settings.outputs)),
      states_(stream(Topic::states, description.signals.states, settings.states)),
      counts_(stream(Topic::counts, description.signals.counts,
                     selected_counts(description.signals, settings.inputs))),
      timing_message_(timing_message()),
      gap_message_(gap_message()),
      timing_(timing_message_),
      gap_(gap_message_) {}

Encoder::Stream Encoder::stream(Topic topic, const std::vector<SignalName>& signals,
                                const std::vector<bool>& selected) {
  std::vector<SignalName> chosen;
  std::vector<std::size_t> from;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (i >= selected.size() || !selected[i]) continue;
    chosen.push_back(signals[i]);
    from.push_back(i);
  }
  proto::Message message = signals_message(topic, chosen);
  proto::Template empty(message);
  return {topic, std::move(message), std::move(empty), std::move(from), 0};
}

void Encoder::declare(mcap::Writer& writer) const {
  writer.declare(frame_schema_);
  writer.declare(mcap::Channel{channel_of(Topic::frame),
                               channel_of(Topic::frame),
                               std::string(to_string(Topic::frame)),
                               std::string(frame_encoding),
                               {}});
  const auto messages = [&](Topic topic, const proto::Message& message) {
    writer.declare(schema_of(topic, message));
    writer.declare(channel_of(topic, message));
  };
  for (const Stream* s : {&inputs_, &outputs_, &states_, &counts_}) {
    if (!s->from.empty()) messages(s->topic, s->message);
  }
  messages(Topic::timing, timing_message_);
  messages(Topic::gap, gap_message_);
  writer.declare(mcap::Schema{channel_of(Topic::change), std::string(change_schema),
                              std::string(change_schema_encoding), std::string(effect_schema())});
  writer.declare(mcap::Channel{channel_of(Topic::change),
                               channel_of(Topic::change),
                               std::string(to_string(Topic::change)),
                               std::string(change_encoding),
                               {}});
}

// Inputs belong to the start of the step, outputs and states to its end. A held frame has neither
// pass nor progress: its values still are those of the step's start.
void Encoder::frame(const io::FrameView& record, const Wanted& wanted, Block& block) {
  const io::FrameHeader& h = record.header();
  if (wanted.whole) {
    store_.store(record, block.frames.add(channel_of(Topic::frame), frames_++,
                                          clock_.log_time(h.due), store_.bytes()));
  }
  if (wanted.inputs) {
    if (h.passes > 0) signals(inputs_, h.frame, h.t, h.due, record.inputs(0), block.signals);
    if (h.images > 0 && !counts_.from.empty()) {
      signals(counts_, h.frame, h.t, h.due, record.image_counts(0), block.signals);
    }
    timing(h, block.signals);
  }
  if (!wanted.results) return;
  const std::int64_t end = h.frozen ? h.frame : h.frame + h.span;
  const SimTime t = h.frozen ? h.t : h.t + (h.deadline - h.due);
  signals(outputs_, end, t, h.deadline, record.outputs(), block.signals);
  signals(states_, end, t, h.deadline, record.states(), block.signals);
}

template <class Value>
void Encoder::signals(Stream& s, std::int64_t tick, SimTime t, MonoTime at,
                      std::span<const Value> values, mcap::Chunk& chunk) {
  if (s.from.empty()) return;
  std::byte* const place =
      chunk.add(channel_of(s.topic), s.sequence++, clock_.log_time(at), s.empty.bytes());
  s.empty.copy(place);
  const std::vector<std::size_t>& offsets = s.empty.offsets();
  put(place + offsets[0], tick);
  put(place + offsets[1], in_seconds(t));
  for (std::size_t i = 0; i < s.from.size(); ++i) {
    put(place + offsets[signal_fields + i], values[s.from[i]]);
  }
}

void Encoder::timing(const io::FrameHeader& h, mcap::Chunk& chunk) {
  std::byte* const place =
      chunk.add(channel_of(Topic::timing), timings_++, clock_.log_time(h.due), timing_.bytes());
  timing_.copy(place);
  const auto at = [&](TimingField field) {
    return place + timing_.offset(static_cast<std::size_t>(field));
  };
  const auto flag = [&](TimingField field, bool value) {
    put(at(field), static_cast<std::uint8_t>(value ? 1 : 0));
  };
  using F = TimingField;
  put(at(F::step), h.step);
  put(at(F::frame), h.frame);
  put(at(F::t), in_seconds(h.t));
  put(at(F::lateness), microseconds(h.lateness));
  put(at(F::start), microseconds(h.start - h.due));
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    put(place + timing_.offset(static_cast<std::size_t>(F::wake) + p), microseconds(h.phases[p]));
  }
  put(at(F::span), h.span);
  put(at(F::slipped), h.slipped);
  put(at(F::passes_run), h.passes);
  put(at(F::state_events), h.state_events);
  put(at(F::external_events), h.external_events);
  put(at(F::mark), h.mark);
  put(at(F::cause), static_cast<std::uint8_t>(h.cause));
  flag(F::overrun, record::is_overrun(h));
  flag(F::late_wake, h.late_wake);
  flag(F::starter, h.starter);
  flag(F::frozen, h.frozen);
  flag(F::early, h.early);
}

void Encoder::gap(const Gap& gap, MonoTime at, Block& block) {
  std::byte* const place =
      block.signals.add(channel_of(Topic::gap), gaps_++, clock_.log_time(at), gap_.bytes());
  gap_.copy(place);
  put(place + gap_.offset(0), gap.first);
  put(place + gap_.offset(1), gap.last);
  put(place + gap_.offset(2), static_cast<std::uint8_t>(gap.reason));
}

void Encoder::change(std::string_view effect, MonoTime at, Block& block) {
  std::byte* const place =
      block.signals.add(channel_of(Topic::change), changes_++, clock_.log_time(at), effect.size());
  std::memcpy(place, effect.data(), effect.size());
}

}  // namespace hild::framelog
