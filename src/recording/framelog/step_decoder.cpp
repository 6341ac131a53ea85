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
void put_values(const std::optional<protozero::data_view>& message, std::span<Value> values) {
  if (!message) return;
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

}  // namespace

/// The messages within one, and what stands in for what follows from the rest.
struct StepDecoder::Parts {
  using View = std::optional<protozero::data_view>;

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
    std::vector<std::int64_t> groups;  ///< the others
    bool waited = false;
    View inputs, other_inputs, counts, other_counts;
    std::vector<double> more;
  };

  [[nodiscard]] static Image read_image(protozero::data_view message) {
    Image image;
    for (pbf_reader in(message); in.next();) {
      switch (in.tag_and_type()) {
        case tag_and_type(f::image::sampled, pbf_wire_type::fixed64):
          image.sampled = fitting(in.get_sfixed64());
          break;
        case tag_and_type(f::image::groups, pbf_wire_type::length_delimited):
          for (const std::int64_t t : in.get_packed_sfixed64()) image.groups.push_back(fitting(t));
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
          for (const double v : in.get_packed_double()) image.more.push_back(v);
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
    std::vector<double> values;
  };

  [[nodiscard]] static Write read_write(protozero::data_view message) {
    Write write;
    for (pbf_reader in(message); in.next();) {
      switch (in.tag_and_type()) {
        case tag_and_type(f::write::at, pbf_wire_type::fixed64):
          write.at = fitting(in.get_sfixed64());
          break;
        case tag_and_type(f::write::values, pbf_wire_type::length_delimited):
          for (const double v : in.get_packed_double()) write.values.push_back(v);
          break;
        default:
          in.skip();
      }
    }
    return write;
  }

  explicit Parts(const io::FrameLayout& of) : layout(of) {}

  View inputs, outputs, other_outputs, states, other_states;
  const io::FrameLayout& layout;  ///< more images and passes than it has are left out
  std::vector<Image> images;
  std::int64_t images_told = 0;
  std::vector<Pass> passes;
  std::int64_t passes_told = 0;
  std::vector<io::ModelRun> runs;
  std::vector<Write> writes;
  std::optional<std::int64_t> t, end, passes_run, images_read;
  bool brief = false;
  bool images_begin = false;
  bool timing = false;
  bool placed = false;  ///< it says which frame it is

  void add_image(protozero::data_view message) {
    ++images_told;
    if (images.size() < layout.images()) images.push_back(read_image(message));
  }
  void add_pass(protozero::data_view message) {
    ++passes_told;
    if (passes.size() < layout.passes()) passes.push_back(read_pass(message));
  }
  void add_run(protozero::data_view message) {
    if (runs.size() < layout.runs()) runs.push_back(read_run(message));
  }
  void add_write(protozero::data_view message) {
    const bool room = layout.heard() > 0 && writes.size() < io::most_writes;
    if (room) writes.push_back(read_write(message));
  }
  void read(protozero::data_view message, io::FrameHeader& h);
};

void StepDecoder::Parts::read(protozero::data_view message, io::FrameHeader& h) {
  for (pbf_reader in(message); in.next();) {
    switch (in.tag_and_type()) {
      case tag_and_type(f::states, pbf_wire_type::length_delimited):
        states = in.get_view();
        continue;
      case tag_and_type(f::other_states, pbf_wire_type::length_delimited):
        other_states = in.get_view();
        continue;
      case tag_and_type(f::outputs, pbf_wire_type::length_delimited):
        outputs = in.get_view();
        continue;
      case tag_and_type(f::other_outputs, pbf_wire_type::length_delimited):
        other_outputs = in.get_view();
        continue;
      case tag_and_type(f::inputs, pbf_wire_type::length_delimited):
        inputs = in.get_view();
        continue;
      case tag_and_type(f::images, pbf_wire_type::length_delimited):
        add_image(in.get_view());
        continue;
      case tag_and_type(f::passes, pbf_wire_type::length_delimited):
        add_pass(in.get_view());
        continue;
      case tag_and_type(f::runs, pbf_wire_type::length_delimited):
        add_run(in.get_view());
        continue;
      case tag_and_type(f::writes, pbf_wire_type::length_delimited):
        add_write(in.get_view());
        continue;
      case tag_and_type(f::phases, pbf_wire_type::length_delimited):
        put_phases(in.get_view(), h);
        timing = true;
        continue;
      case tag_and_type(f::brief, pbf_wire_type::varint):
        brief = in.get_uint64() != 0;
        continue;
      case tag_and_type(f::images_begin, pbf_wire_type::varint):
        images_begin = in.get_uint64() != 0;
        continue;
      case tag_and_type(f::t, pbf_wire_type::fixed64):
        t = fitting(in.get_sfixed64());
        continue;
      case tag_and_type(f::end, pbf_wire_type::fixed64):
        end = fitting(in.get_sfixed64());
        continue;
      case tag_and_type(f::passes_run, pbf_wire_type::varint):
        passes_run = fitting(in.get_int64());
        continue;
      case tag_and_type(f::images_read, pbf_wire_type::varint):
        images_read = fitting(in.get_int64());
        continue;
      default:
        break;
    }
    const HeaderField* const known = in.tag() < most_numbers ? field_of_number[in.tag()] : nullptr;
    if (known == nullptr) {
      in.skip();
      continue;
    }
    const HeaderField& field = *known;
    if (known == header_fields.data()) placed = true;
    const bool fixed = field.type == proto::Type::sfixed64;
    if (in.wire_type() != (fixed ? pbf_wire_type::fixed64 : pbf_wire_type::varint)) throw NoStep{};
    put_header(field, fixed ? in.get_sfixed64() : in.get_int64(), h);
  }
}

StepDecoder::StepDecoder(const StepShape& shape, const ClockBase& clock)
    : clock_(clock),
      layout_(shape.layout()),
      most_frame_(largest / (clock.grid.numerator() / clock.grid.denominator() + 1)),
      record_((layout_.bytes() + 7) / 8),
      any_(layout_.states()),
      prediction_(shape.images_of, layout_),
      u_(layout_.inputs()),
      image_(layout_.sampled()),
      instants_(layout_.groups()),
      counts_(layout_.counted()) {}

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
  std::ranges::fill(record_, 0);
  auto* const memory = reinterpret_cast<std::byte*>(record_.data());
  io::FrameSlot slot(layout_, memory);
  slot.begin();
  io::FrameHeader& h = slot.header();
  h.due = clock_.monotonic_of(log_time);
  (void)fitting(h.due.ns);
  Parts parts(layout_);
  parts.read(message, h);
  if (!parts.placed) throw NoStep{};
  h.step = fitting(h.frame - h.step);  // it was told as the difference
  // Its times must be ones that can be told.
  if (h.frame < 0 || h.frame > most_frame_ || h.span < 0 || h.span > most_frame_) throw NoStep{};
  h.t = parts.t ? SimTime{*parts.t} : clock_.t_of(h.frame);
  h.end = parts.end ? h.due + Duration{*parts.end} : h.deadline + h.lateness;

  StoredStep step{io::FrameView(layout_, memory)};
  step.whole = !parts.brief;
  step.timing = parts.timing;
  step.counts = !parts.images.empty();
  step.results = parts.states || parts.outputs || step.whole;
  put_images(parts, slot);
  h.images = 0;  // as they are told below
  step.inputs = (parts.inputs || parts.passes_told > 0) && layout_.passes() > 0;
  if (!put_passes(parts, slot)) throw NoStep{};
  put_results(parts, slot);
  for (const io::ModelRun& run : parts.runs) slot.run(h.step, run);
  for (const Parts::Write& write : parts.writes) {
    const std::span<double> values = slot.write(h.due + Duration{write.at});
    std::copy_n(write.values.begin(), std::min(values.size(), write.values.size()), values.begin());
  }
  h.passes = static_cast<std::int32_t>(
      std::clamp<std::int64_t>(parts.passes_run.value_or(parts.passes_told), 0,
                               static_cast<std::int64_t>(layout_.passes())));
  h.images = static_cast<std::int32_t>(
      std::clamp<std::int64_t>(parts.images_read.value_or(parts.images_told), 0, INT32_MAX));
  return step;
}

void StepDecoder::put_results(const Parts& parts, io::FrameSlot& slot) {
  std::vector<double>& y = image_;
  y.assign(std::max(layout_.outputs(), layout_.states()), 0.0);
  const std::span outputs = std::span(y).first(layout_.outputs());
  put_values(parts.outputs, outputs);
  put_values(parts.other_outputs, outputs);
  slot.outputs(outputs);
  std::ranges::fill(y, 0.0);
  const std::span states = std::span(y).first(layout_.states());
  put_values(parts.states, states);
  put_values(parts.other_states, states);
  slot.states(states, any_);
}

// Each has the inputs it brings, else those that follow from the images. False: what came before is
// not known, and they cannot be told.
bool StepDecoder::put_passes(const Parts& parts, io::FrameSlot& slot) {
  io::FrameHeader& h = slot.header();
  const io::FrameView record(layout_, reinterpret_cast<const std::byte*>(record_.data()));
  const std::size_t passes = parts.passes.size();
  const bool follows = !parts.brief && !parts.images_begin && prediction_.follows(h);
  const bool known = follows || parts.images_begin || !prediction_.any();
  if (!follows) prediction_.begin_anew();
  prediction_.begin(h);
  std::size_t image = 0;
  const auto read_on = [&](std::size_t to) {
    for (; prediction_.any() && image < std::min(to, parts.images.size()); ++image) {
      prediction_.image(record.instants(image), record.image(image));
    }
  };
  for (std::size_t p = 0; p < passes; ++p) {
    const Parts::Pass& pass = parts.passes[p];
    const auto usual = static_cast<std::int64_t>(std::min(p + 1, parts.images.size()));
    const std::int64_t before = std::clamp<std::int64_t>(
        pass.images.value_or(usual), 0, static_cast<std::int64_t>(layout_.images()));
    const Duration after_due =
        pass.nominal ? Duration{*pass.nominal} : prediction_.nominal(p).value_or(Duration{});
    prediction_.note_nominal(p, after_due);
    const MonoTime nominal = h.due + after_due;
    read_on(static_cast<std::size_t>(before));
    std::ranges::fill(u_, 0.0);
    if (pass.inputs || pass.other_inputs) {
      put_values(pass.inputs, std::span(u_));
      put_values(pass.other_inputs, std::span(u_));
    } else if (prediction_.any() && image > 0) {
      if (!known) return false;
      std::ranges::copy(prediction_.at(nominal), u_.begin());
    }
    h.images = static_cast<std::int32_t>(before);  // which pass() notes
    slot.pass(p, nominal, Duration{pass.cost}, u_);
  }
  read_on(parts.images.size());
  prediction_.end(!parts.brief && known && !parts.images_read);
  // In brief, what the first one had is all that is told.
  if (parts.brief && parts.inputs && layout_.passes() > 0) {
    std::ranges::fill(u_, 0.0);
    put_values(parts.inputs, std::span(u_));
    slot.pass(0, h.due, {}, u_);
  }
  return true;
}

void StepDecoder::put_images(const Parts& parts, io::FrameSlot& slot) {
  const MonoTime due = slot.header().due;
  image_.resize(layout_.sampled());
  for (const Parts::Image& image : parts.images) {
    std::ranges::fill(image_, 0.0);
    std::ranges::fill(counts_, 0U);
    const std::span plain = std::span(image_).first(layout_.inputs());
    put_values(image.inputs, plain);
    put_values(image.other_inputs, plain);
    const std::span more = std::span(image_).subspan(plain.size());
    std::ranges::copy_n(image.more.begin(),
                        static_cast<std::ptrdiff_t>(std::min(more.size(), image.more.size())),
                        more.begin());
    put_values(image.counts, std::span(counts_));
    put_values(image.other_counts, std::span(counts_));
    std::ranges::fill(instants_, due + Duration{image.sampled});
    const std::size_t groups = std::min(image.groups.size(), instants_.size() - 1);
    for (std::size_t g = 0; g < groups; ++g) instants_[g + 1] = due + Duration{image.groups[g]};
    slot.image(instants_, image.waited, image_, counts_);
  }
}

}  // namespace hild::framelog
