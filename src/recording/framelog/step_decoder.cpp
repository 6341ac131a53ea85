// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/step_decoder.hpp"

#include <algorithm>
#include <protozero/pbf_reader.hpp>

#include "recording/framelog/step_fields.hpp"

namespace hild::framelog {
namespace {

namespace f = step_field;
using protozero::pbf_reader;
using protozero::pbf_wire_type;

constexpr std::uint32_t most_numbers = 64;  ///< of the fields of a header

/// By its number; null: none.
constexpr auto field_of_number = [] {
  std::array<const HeaderField*, most_numbers> of{};
  for (const HeaderField& field : header_fields) of[field.number] = &field;
  return of;
}();

/// Times and counts that may be added and subtracted: none is longer than some nine years.
constexpr std::int64_t largest = std::int64_t{1} << 58U;
bool fits(std::int64_t n) { return n >= -largest && n <= largest; }

struct NoStep {};

std::int64_t fitting(std::int64_t n) {
  if (!fits(n)) throw NoStep{};
  return n;
}

/// A cause that this program does not know is one that is not known.
void put_header(const HeaderField& field, std::int64_t n, io::FrameHeader& h) {
  if (field.type == proto::Type::enumeration && (n < 0 || n >= std::int64_t{io::cause_count})) {
    n = static_cast<std::int64_t>(io::Cause::unknown);
  }
  field.set(h, fitting(n));
}

void put_phases(protozero::data_view message, io::FrameHeader& h) {
  for (pbf_reader in(message); in.next();) {
    const std::size_t phase = f::phase_of(in.tag());
    if (in.wire_type() == pbf_wire_type::fixed64 && phase < io::phase_count) {
      h.phases[phase].ns = fitting(in.get_sfixed64());
    } else {
      in.skip();
    }
  }
}

template <class Value>
void put_values(const std::optional<protozero::data_view>& message, const proto::Template& usual,
                std::span<Value> values) {
  if (!message || usual.take({message->data(), message->size()}, values.data())) return;
  constexpr bool floating = std::is_same_v<Value, double>;
  constexpr auto wire = floating ? pbf_wire_type::fixed64 : pbf_wire_type::fixed32;
  for (pbf_reader in(*message); in.next();) {
    if (in.wire_type() != wire || f::index_of(in.tag()) >= values.size()) {
      in.skip();
      continue;
    }
    Value& value = values[f::index_of(in.tag())];
    if constexpr (floating) {
      value = in.get_double();
    } else {
      value = in.get_fixed32();
    }
  }
}

/// As many as both have.
template <class Numbers>
void put_numbers(const Numbers& numbers, std::span<double> values) {
  auto from = numbers.begin();
  for (double& value : values) {
    if (from == numbers.end()) return;
    value = *from++;
  }
}

}  // namespace

/// The messages within one, and what stands in for what follows from the rest. Views are of its
/// bytes.
struct StepDecoder::Message {
  using View = std::optional<protozero::data_view>;
  template <class Iterator>
  using Numbers = protozero::iterator_range<Iterator>;
  using Floats = Numbers<pbf_reader::const_double_iterator>;

  struct Pass {
    std::int64_t cost = 0;
    std::optional<std::int64_t> nominal;
    std::optional<std::int64_t> images;
    View inputs, other_inputs;
  };

  [[nodiscard]] static Pass read_pass(protozero::data_view message) {
    Pass pass;
    for (pbf_reader in(message); in.next();) {
      switch (in.tag_and_type()) {
        case tag_and_type(f::pass::cost, pbf_wire_type::fixed64):
          pass.cost = fitting(in.get_sfixed64());
          break;
        case tag_and_type(f::pass::nominal, pbf_wire_type::fixed64):
          pass.nominal = fitting(in.get_sfixed64());
          break;
        case tag_and_type(f::pass::images, pbf_wire_type::varint):
          pass.images = in.get_uint32();
          break;
        case tag_and_type(f::pass::inputs, pbf_wire_type::length_delimited):
          pass.inputs = in.get_view();
          break;
        case tag_and_type(f::pass::other_inputs, pbf_wire_type::length_delimited):
          pass.other_inputs = in.get_view();
          break;
        default:
          in.skip();
      }
    }
    return pass;
  }

  struct Image {
    std::int64_t sampled = 0;
    Numbers<pbf_reader::const_sfixed64_iterator> groups;  ///< the others
    bool waited = false;
    View inputs, other_inputs, counts, other_counts;
    Floats more;
  };

  [[nodiscard]] static Image read_image(protozero::data_view message) {
    Image image;
    for (pbf_reader in(message); in.next();) {
      switch (in.tag_and_type()) {
        case tag_and_type(f::image::sampled, pbf_wire_type::fixed64):
          image.sampled = fitting(in.get_sfixed64());
          break;
        case tag_and_type(f::image::groups, pbf_wire_type::length_delimited):
          image.groups = in.get_packed_sfixed64();
          break;
        case tag_and_type(f::image::waited, pbf_wire_type::varint):
          image.waited = in.get_uint64() != 0;
          break;
        case tag_and_type(f::image::inputs, pbf_wire_type::length_delimited):
          image.inputs = in.get_view();
          break;
        case tag_and_type(f::image::other_inputs, pbf_wire_type::length_delimited):
          image.other_inputs = in.get_view();
          break;
        case tag_and_type(f::image::counts, pbf_wire_type::length_delimited):
          image.counts = in.get_view();
          break;
        case tag_and_type(f::image::other_counts, pbf_wire_type::length_delimited):
          image.other_counts = in.get_view();
          break;
        case tag_and_type(f::image::more, pbf_wire_type::length_delimited):
          image.more = in.get_packed_double();
          break;
        default:
          in.skip();
      }
    }
    return image;
  }

  [[nodiscard]] static io::ModelRun read_run(protozero::data_view message) {
    io::ModelRun run;
    for (pbf_reader in(message); in.next();) {
      switch (in.tag_and_type()) {
        case tag_and_type(f::run::start, pbf_wire_type::fixed64):
          run.start.ns = fitting(in.get_sfixed64());
          break;
        case tag_and_type(f::run::took, pbf_wire_type::varint):
          run.took = static_cast<std::int32_t>(std::min<std::uint32_t>(in.get_uint32(), INT32_MAX));
          break;
        case tag_and_type(f::run::model, pbf_wire_type::varint):
          run.model = static_cast<std::uint16_t>(in.get_uint32());
          break;
        case tag_and_type(f::run::place, pbf_wire_type::varint):
          run.worker =
              static_cast<std::int16_t>(std::min<std::uint32_t>(in.get_uint32(), INT16_MAX) - 1);
          break;
        default:
          in.skip();
      }
    }
    return run;
  }

  struct Write {
    std::int64_t at = 0;
    Floats values;
  };

  [[nodiscard]] static Write read_write(protozero::data_view message) {
    Write write;
    for (pbf_reader in(message); in.next();) {
      switch (in.tag_and_type()) {
        case tag_and_type(f::write::at, pbf_wire_type::fixed64):
          write.at = fitting(in.get_sfixed64());
          break;
        case tag_and_type(f::write::values, pbf_wire_type::length_delimited):
          write.values = in.get_packed_double();
          break;
        default:
          in.skip();
      }
    }
    return write;
  }

  /// Once each. More images and passes than these are counted only.
  struct Fields {
    View inputs, outputs, other_outputs, states, other_states;
    std::optional<std::int64_t> t, end, passes_run, images_read;
    std::int64_t images_told = 0;
    std::int64_t passes_told = 0;
    bool brief = false;
    bool images_begin = false;
    bool timing = false;
    bool placed = false;  ///< it says which frame it is
  };

  Message(const io::FrameLayout& layout, const StepParts& asked, bool inputs_follow)
      : timed(asked.whole || asked.timing),
        results(asked.whole || asked.results),
        most_passes(asked.whole    ? layout.passes()
                    : asked.inputs ? std::min<std::size_t>(layout.passes(), 1)
                                   : 0),
        most_images(asked.whole || asked.counts || (asked.inputs && inputs_follow) ? layout.images()
                                                                                   : 0),
        most_runs(asked.whole ? layout.runs() : 0),
        most_writes(asked.whole && layout.heard() > 0 ? io::most_writes : 0) {}

  bool timed, results;                                           ///< are asked for
  std::size_t most_passes, most_images, most_runs, most_writes;  ///< that are kept
  Fields fields;
  std::vector<Image> images;
  std::vector<Pass> passes;
  std::vector<io::ModelRun> runs;
  std::vector<Write> writes;

  void clear() {
    // One by one: gcc makes a string instruction of a whole, which takes longer than all else here.
    for (View Fields::*view : {&Fields::inputs, &Fields::outputs, &Fields::other_outputs,
                               &Fields::states, &Fields::other_states}) {
      (fields.*view).reset();
    }
    for (auto Fields::*n : {&Fields::t, &Fields::end, &Fields::passes_run, &Fields::images_read}) {
      (fields.*n).reset();
    }
    fields.images_told = fields.passes_told = 0;
    fields.brief = fields.images_begin = fields.timing = fields.placed = false;
    images.clear();
    passes.clear();
    runs.clear();
    writes.clear();
  }
  void add_image(protozero::data_view message) {
    ++fields.images_told;
    if (images.size() < most_images) images.push_back(read_image(message));
  }
  void add_pass(protozero::data_view message) {
    ++fields.passes_told;
    if (passes.size() < most_passes) passes.push_back(read_pass(message));
  }
  void add_run(protozero::data_view message) {
    if (runs.size() < most_runs) runs.push_back(read_run(message));
  }
  void add_write(protozero::data_view message) {
    if (writes.size() < most_writes) writes.push_back(read_write(message));
  }
  void read(protozero::data_view message, io::FrameHeader& h);

 private:
  View* view_of(std::uint32_t number) {
    switch (number) {
      case f::states:
        return &fields.states;
      case f::other_states:
        return &fields.other_states;
      case f::outputs:
        return &fields.outputs;
      case f::other_outputs:
        return &fields.other_outputs;
      case f::inputs:
        return &fields.inputs;
      default:
        return nullptr;
    }
  }
  void read_message(std::uint32_t number, protozero::data_view message, io::FrameHeader& h) {
    switch (number) {
      case f::images:
        return add_image(message);
      case f::passes:
        return add_pass(message);
      case f::runs:
        return add_run(message);
      case f::writes:
        return add_write(message);
      case f::phases:
        fields.timing = true;
        if (timed) put_phases(message, h);
        return;
      default:
        return;
    }
  }
  void read_number(pbf_reader& in) {
    switch (in.tag_and_type()) {
      case tag_and_type(f::brief, pbf_wire_type::varint):
        fields.brief = in.get_uint64() != 0;
        return;
      case tag_and_type(f::images_begin, pbf_wire_type::varint):
        fields.images_begin = in.get_uint64() != 0;
        return;
      case tag_and_type(f::t, pbf_wire_type::fixed64):
        fields.t = fitting(in.get_sfixed64());
        return;
      case tag_and_type(f::end, pbf_wire_type::fixed64):
        fields.end = fitting(in.get_sfixed64());
        return;
      case tag_and_type(f::passes_run, pbf_wire_type::varint):
        fields.passes_run = fitting(in.get_int64());
        return;
      case tag_and_type(f::images_read, pbf_wire_type::varint):
        fields.images_read = fitting(in.get_int64());
        return;
      default:
        in.skip();
    }
  }
};

void StepDecoder::Message::read(protozero::data_view message, io::FrameHeader& h) {
  for (pbf_reader in(message); in.next();) {
    const std::uint32_t number = in.tag();
    const HeaderField* const known = number < most_numbers ? field_of_number[number] : nullptr;
    if (known != nullptr) {
      if (!timed && !known->identity) {
        in.skip();
        continue;
      }
      if (known == header_fields.data()) fields.placed = true;
      const bool fixed = known->type == proto::Type::sfixed64;
      if (in.wire_type() != (fixed ? pbf_wire_type::fixed64 : pbf_wire_type::varint)) {
        throw NoStep{};
      }
      put_header(*known, fixed ? in.get_sfixed64() : in.get_int64(), h);
    } else if (in.wire_type() != pbf_wire_type::length_delimited) {
      read_number(in);
    } else if (View* const part = view_of(number)) {
      *part = in.get_view();
    } else {
      read_message(number, in.get_view(), h);
    }
  }
}

// Which field of another it is does not matter.
StepDecoder::Usual::Kind::Kind(const SignalGroup& group, proto::Type type)
    : selected(1, type, group.places(true)), others(1, type, group.places(false)) {}

StepDecoder::StepDecoder(const StepShape& shape, const ClockBase& clock, StepParts asked)
    : clock_(clock),
      layout_(shape.layout()),
      most_frame_(largest / (clock.grid.numerator() / clock.grid.denominator() + 1)),
      blank_((layout_.bytes() + 7) / 8),
      record_(blank_.size()),
      any_(layout_.states()),
      usual_{Usual::Kind(shape.inputs), Usual::Kind(shape.outputs), Usual::Kind(shape.states),
             Usual::Kind(shape.counts, proto::Type::fixed32)},
      prediction_(shape.images_of, layout_),
      u_(layout_.inputs()),
      image_(layout_.sampled()),
      instants_(layout_.groups()),
      counts_(layout_.counted()),
      message_(std::make_unique<Message>(layout_, asked, prediction_.any())) {
  io::FrameSlot(layout_, reinterpret_cast<std::byte*>(blank_.data())).begin();
}

StepDecoder::~StepDecoder() = default;

std::optional<StoredStep> StepDecoder::decode(std::span<const std::byte> message,
                                              std::uint64_t log_time) {
  try {
    return decode_parts(proto::view_of(message), log_time);
  } catch (const protozero::exception&) {
    prediction_.begin_anew();  // what came before the next step is not known
  } catch (const NoStep&) {
    prediction_.begin_anew();
  }
  return std::nullopt;
}

StoredStep StepDecoder::decode_parts(protozero::data_view message, std::uint64_t log_time) {
  std::ranges::copy(blank_, record_.begin());
  auto* const memory = reinterpret_cast<std::byte*>(record_.data());
  io::FrameSlot slot(layout_, memory);
  io::FrameHeader& h = slot.header();
  h.due = clock_.monotonic_of(log_time);
  (void)fitting(h.due.ns);
  message_->clear();
  message_->read(message, h);
  const Message::Fields& told = message_->fields;
  if (!told.placed) throw NoStep{};
  h.step = fitting(h.frame - h.step);  // it was told as the difference
  // Its times must be ones that can be told.
  if (h.frame < 0 || h.frame > most_frame_ || h.span < 0 || h.span > most_frame_) throw NoStep{};
  h.t = told.t ? SimTime{*told.t} : clock_.t_of(h.frame);
  h.end = told.end ? h.due + Duration{*told.end} : h.deadline + h.lateness;

  StoredStep step{io::FrameView(layout_, memory)};
  step.whole = !told.brief;
  step.timing = told.timing;
  step.counts = told.images_told > 0 && layout_.images() > 0;
  step.results = told.states || told.outputs || step.whole;
  put_images(slot);
  h.images = 0;  // as they are told below
  step.inputs = (told.inputs || told.passes_told > 0) && layout_.passes() > 0;
  if (!put_passes(slot)) throw NoStep{};
  if (message_->results) put_results(slot);
  for (const io::ModelRun& run : message_->runs) slot.run(h.step, run);
  for (const Message::Write& write : message_->writes) {
    put_numbers(write.values, slot.write(h.due + Duration{write.at}));
  }
  h.passes = static_cast<std::int32_t>(std::clamp<std::int64_t>(
      told.passes_run.value_or(told.passes_told), 0, static_cast<std::int64_t>(layout_.passes())));
  h.images = static_cast<std::int32_t>(
      std::clamp<std::int64_t>(told.images_read.value_or(told.images_told), 0, INT32_MAX));
  return step;
}

void StepDecoder::put_results(io::FrameSlot& slot) {
  const Message::Fields& told = message_->fields;
  std::vector<double>& y = image_;
  y.assign(std::max(layout_.outputs(), layout_.states()), 0.0);
  const std::span outputs = std::span(y).first(layout_.outputs());
  put_values(told.outputs, usual_.outputs.selected, outputs);
  put_values(told.other_outputs, usual_.outputs.others, outputs);
  slot.outputs(outputs);
  std::ranges::fill(y, 0.0);
  const std::span states = std::span(y).first(layout_.states());
  put_values(told.states, usual_.states.selected, states);
  put_values(told.other_states, usual_.states.others, states);
  slot.states(states, any_);
}

// Each has the inputs it brings, else those that follow from the images. False: what came before is
// not known, and they cannot be told.
bool StepDecoder::put_passes(io::FrameSlot& slot) {
  const Message::Fields& told = message_->fields;
  const std::vector<Message::Image>& images = message_->images;
  io::FrameHeader& h = slot.header();
  const io::FrameView record(layout_, reinterpret_cast<const std::byte*>(record_.data()));
  const std::size_t passes = message_->passes.size();
  const bool follows = !told.brief && !told.images_begin && prediction_.follows(h);
  const bool known = follows || told.images_begin || !prediction_.any();
  if (!follows) prediction_.begin_anew();
  prediction_.begin(h);
  std::size_t image = 0;
  const auto read_on = [&](std::size_t to) {
    for (; prediction_.any() && image < std::min(to, images.size()); ++image) {
      prediction_.image(record.instants(image), record.image(image));
    }
  };
  for (std::size_t p = 0; p < passes; ++p) {
    const Message::Pass& pass = message_->passes[p];
    const auto usual = static_cast<std::int64_t>(std::min(p + 1, images.size()));
    const std::int64_t before = std::clamp<std::int64_t>(
        pass.images.value_or(usual), 0, static_cast<std::int64_t>(layout_.images()));
    const Duration after_due =
        pass.nominal ? Duration{*pass.nominal} : prediction_.nominal(p).value_or(Duration{});
    prediction_.note_nominal(p, after_due);
    const MonoTime nominal = h.due + after_due;
    read_on(static_cast<std::size_t>(before));
    std::ranges::fill(u_, 0.0);
    if (pass.inputs || pass.other_inputs) {
      put_values(pass.inputs, usual_.inputs.selected, std::span(u_));
      put_values(pass.other_inputs, usual_.inputs.others, std::span(u_));
    } else if (prediction_.any() && image > 0) {
      if (!known) return false;
      std::ranges::copy(prediction_.at(nominal), u_.begin());
    }
    h.images = static_cast<std::int32_t>(before);  // which pass() notes
    slot.pass(p, nominal, Duration{pass.cost}, u_);
  }
  read_on(images.size());
  prediction_.end(!told.brief && known && !told.images_read);
  // In brief, what the first one had is all that is told.
  if (told.brief && told.inputs && layout_.passes() > 0) {
    std::ranges::fill(u_, 0.0);
    put_values(told.inputs, usual_.inputs.selected, std::span(u_));
    slot.pass(0, h.due, {}, u_);
  }
  return true;
}

void StepDecoder::put_images(io::FrameSlot& slot) {
  const MonoTime due = slot.header().due;
  image_.resize(layout_.sampled());
  for (const Message::Image& image : message_->images) {
    std::ranges::fill(image_, 0.0);
    std::ranges::fill(counts_, 0U);
    const std::span plain = std::span(image_).first(layout_.inputs());
    put_values(image.inputs, usual_.inputs.selected, plain);
    put_values(image.other_inputs, usual_.inputs.others, plain);
    put_numbers(image.more, std::span(image_).subspan(plain.size()));
    put_values(image.counts, usual_.counts.selected, std::span(counts_));
    put_values(image.other_counts, usual_.counts.others, std::span(counts_));
    std::ranges::fill(instants_, due + Duration{image.sampled});
    auto instant = instants_.begin() + 1;
    for (const std::int64_t group : image.groups) {
      if (instant == instants_.end()) break;
      *instant++ = due + Duration{fitting(group)};
    }
    slot.image(instants_, image.waited, image_, counts_);
  }
}

}  // namespace hild::framelog
