// SPDX-License-Identifier: Apache-2.0
/// Chrome's trace format: an array of events, times in microseconds. Phases are exact in length;
/// where within its frame one lies is known of its start, its passes and its end, and follows from
/// the order of a frame for the rest. Models that are run beside one another have tracks of their
/// own, a track a CPU, on which all is exact.
#include <fmt/compile.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "core/text_file.hpp"
#include "recording/convert/export.hpp"
#include "recording/record/words.hpp"

namespace hild::convert {
namespace {

using framelog::LogPart;

/// A JSON string of what may hold any character.
std::string in_json(std::string_view text) {
  return boost::json::serialize(boost::json::value(boost::json::string(text.data(), text.size())));
}

class TimelineWriter final : public framelog::LogVisitor {
 public:
  /// The process `pid` of the file, of the run `of`.
  TimelineWriter(TextFile& out, int pid, const TimelineOf& of, const framelog::Progress& progress)
      : out_(out), progress_(progress), pid_(pid), name_(of.name) {
    if (of.zero) zero_ = *of.zero;
    zero_given_ = of.zero.has_value();
  }

  void begin(const framelog::LogHead& head) override {
    const std::string model(framelog::value_of(head.description.run, "model"));
    if (pid_ > 1) out_.add(",\n");
    out_.add(fmt::format(
        R"({{"ph":"M","pid":{},"tid":1,"name":"process_name","args":{{"name":{}}}}})", pid_,
        in_json(name_.empty() ? "hild " + model : fmt::format("{}: {}", name_, model))));
    out_.add(",\n");
    out_.add(fmt::format(
        R"({{"ph":"M","pid":{},"tid":1,"name":"thread_name","args":{{"name":"frame loop"}}}})",
        pid_));
    models_ = framelog::listed(framelog::value_of(head.description.run, "models"));
    const auto cpus = framelog::listed(framelog::value_of(head.description.run, "workers"));
    if (!cpus.empty()) track(track_of(-1), "models on the frame loop");
    for (std::size_t k = 0; k < cpus.size(); ++k) {
      track(track_of(static_cast<int>(k)), fmt::format("worker on CPU {}", cpus[k]));
    }
    for (const auto& one :
         framelog::listed(framelog::value_of(head.description.run, "background"))) {
      const auto known = std::ranges::find(models_, one);
      if (known == models_.end()) continue;
      track(background_track(static_cast<std::size_t>(known - models_.begin())),
            fmt::format("{} in the background", one));
    }
  }
  [[nodiscard]] bool wants(LogPart part) const override { return part == LogPart::frame; }

  void frame(const io::FrameView& record) override {
    const io::FrameHeader& h = record.header();
    if (frames_++ == 0 && !zero_given_) zero_ = std::min(h.due, h.start);
    after_record(h);
    const bool woke = record::time_of(h, io::Phase::wake).ns > 0;
    const MonoTime begin = woke ? h.due : h.start;
    slice(fmt::format("{} {}", h.frozen ? "held frame" : "frame", h.frame), begin, h.end,
          arguments(h));
    at_ = begin;
    end_ = h.end;
    part("wake", record::time_of(h, io::Phase::wake));
    part("device", first_device_call(record));
    part("commit", record::time_of(h, io::Phase::commit));
    for (std::size_t i = 0; i < record.passes(); ++i) {
      const auto image = waited_for(record, i);
      if (image && *image > at_ && *image <= end_) part("wait", *image - at_);
      part(fmt::format("pass {}", i), record.cost(i));
    }
    part("workers", record::time_of(h, io::Phase::workers));
    part("events", record::time_of(h, io::Phase::events));
    part("outputs", record::time_of(h, io::Phase::outputs));
    if (record::is_overrun(h)) overrun(h);
    for (const io::ModelRun& run : record.runs()) model_run(run, h);
    last_end_ = h.end;
    last_step_ = h.step;
  }
  bool go_on(double part) override { return out_.good() && (!progress_ || progress_(part)); }

  [[nodiscard]] std::int64_t frames() const noexcept { return frames_; }

 private:
  static int track_of(int worker) { return worker + 3; }
  static int background_track(std::size_t model) {
    return track_of(io::in_background) + static_cast<int>(model);
  }

  void track(int number, const std::string& name) {
    out_.add(fmt::format(
        R"(,
{{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":{}}}}})",
        pid_, number, in_json(name)));
  }

  void model_run(const io::ModelRun& run, const io::FrameHeader& h) {
    const std::string name =
        run.model < models_.size() ? models_[run.model] : fmt::format("model {}", run.model);
    out_.add(fmt::format(
        R"(,
{{"ph":"X","pid":{},"tid":{},"name":{},"ts":{},"dur":{},"args":{{"step":{}}}}})",
        pid_, run.worker == io::in_background ? background_track(run.model) : track_of(run.worker),
        in_json(name), microseconds_of(h.due + run.start - zero_),
        microseconds_of(Duration{run.took}), h.step));
  }

  // What followed the record of the step before is told by this one.
  void after_record(const io::FrameHeader& h) {
    if (frames_ == 1 || h.step != last_step_ + 1) return;
    at_ = last_end_;
    end_ = std::max(h.start, last_end_);
    part("record", record::time_of(h, io::Phase::record));
    part("slack", record::time_of(h, io::Phase::slack));
  }

  // Under stage sampling the calls of a step share their time; each pass waited for has one.
  static Duration first_device_call(const io::FrameView& record) {
    const io::FrameHeader& h = record.header();
    std::int64_t calls = 1;
    for (std::size_t i = 1; i < record.passes(); ++i) {
      if (record.images_before(i) != record.images_before(i - 1)) ++calls;
    }
    return record::time_of(h, io::Phase::device) / calls;
  }

  // When the image of a pass was made, where that was waited for.
  static std::optional<MonoTime> waited_for(const io::FrameView& record, std::size_t pass) {
    const auto image = static_cast<std::size_t>(record.images_before(pass) - 1);
    if (image >= record.images() || !record.image_waited(image)) return std::nullopt;
    return std::ranges::max(record.instants(image));
  }

  void part(std::string_view name, Duration length) {
    const MonoTime to = std::min(at_ + length, end_);
    if (to > at_) slice(name, at_, to);
    at_ = std::max(at_, to);
  }

  static std::string arguments(const io::FrameHeader& h) {
    return fmt::format(
        R"(,"args":{{"step":{},"t_s":{},"span":{},"lateness_us":{},"state_events":{},"external_events":{},"mark":{}}})",
        h.step, static_cast<double>(h.t.ns) / 1e9, h.span, static_cast<double>(h.lateness.ns) / 1e3,
        h.state_events, h.external_events, h.mark);
  }

  void slice(std::string_view name, MonoTime from, MonoTime to, std::string_view rest = {}) {
    out_.add(fmt::format(FMT_COMPILE(R"(,
{{"ph":"X","pid":{},"tid":1,"name":"{}","ts":{},"dur":{}{}}})"),
                         pid_, name, microseconds_of(from - zero_), microseconds_of(to - from),
                         rest));
  }

  void overrun(const io::FrameHeader& h) {
    out_.add(fmt::format(
        R"(,
{{"ph":"i","s":"p","pid":{},"tid":1,"name":{},"ts":{}}})",
        pid_, in_json(fmt::format("overrun: {}", record::in_words(h.cause))),
        microseconds_of(h.deadline - zero_)));
  }

  static double microseconds_of(Duration d) { return static_cast<double>(d.ns) / 1e3; }

  TextFile& out_;
  const framelog::Progress& progress_;
  int pid_;
  std::string name_;  // of the node; empty: it is a run alone
  bool zero_given_ = false;
  std::int64_t frames_ = 0;
  std::int64_t last_step_ = 0;
  std::vector<std::string> models_;  // their names, where there are several
  MonoTime zero_{}, at_{}, end_{}, last_end_{};
};

}  // namespace

Result<Exported> export_timeline(mcap::ByteSource& log, const std::string& file,
                                 const framelog::ReadOptions& range,
                                 const framelog::Progress& progress) {
  const std::array<TimelineOf, 1> alone{TimelineOf{&log, {}, {}}};
  return export_timelines(alone, file, range, progress);
}

Result<Exported> export_timelines(std::span<const TimelineOf> runs, const std::string& file,
                                  const framelog::ReadOptions& range,
                                  const framelog::Progress& progress) {
  auto out = TextFile::create(file);
  if (!out) return tl::make_unexpected(out.error());
  Exported exported;
  int pid = 0;
  out->add("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
  for (const TimelineOf& run : runs) {
    TimelineWriter writer(*out, ++pid, run, progress);
    auto scan = framelog::read_log(*run.log, writer, range);
    if (!scan) return tl::make_unexpected(scan.error());
    exported.rows += writer.frames();
    exported.scan = std::move(*scan);
  }
  out->add("\n]}\n");
  if (auto closed = out->close(); !closed) return tl::make_unexpected(closed.error());
  return exported;
}

}  // namespace hild::convert
