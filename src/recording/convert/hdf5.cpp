// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>

#include "recording/convert/export.hpp"
#include "recording/convert/hdf5_file.hpp"
#include "recording/convert/selection.hpp"

namespace hild::convert {
namespace {

using framelog::LogPart;

/// A name that is no path.
std::string dataset_name(std::string_view signal, std::vector<std::string>& taken) {
  std::string name(signal);
  std::ranges::replace(name, '/', '_');
  if (name.empty() || name == ".") name += '_';
  std::string free = name;
  for (int n = 2; std::ranges::find(taken, free) != taken.end(); ++n) {
    free = fmt::format("{}_{}", name, n);
  }
  return taken.emplace_back(std::move(free));
}

void add_attributes(const Hdf5Handle& root, const framelog::Description& d) {
  const auto all = [&](std::string_view prefix, const mcap::Map& map) {
    std::vector<std::string> taken;
    for (const auto& [key, value] : map) {
      add_attribute(root, dataset_name(fmt::format("{}{}", prefix, key), taken), value);
    }
  };
  all("", d.run);
  all("build_", d.build);
  all("machine_", d.machine);
  // An attribute holds 64 KiB at most.
  constexpr std::size_t most = 60'000;
  if (d.config.size() <= most) add_attribute(root, "configuration", d.config);
}

/// The rows of one stream.
struct Group {
  Group(const Hdf5Handle& file, const Chosen& chosen)
      : group(create_group(file, std::string(framelog::to_string(chosen.part)))),
        t(group, "t"),
        tick(group, "tick"),
        columns(chosen.columns) {
    add_attribute(t.dataset(), "units", "s");
    std::vector<std::string> taken{"t", "tick"};
    for (const auto& [name, unit] : chosen.names) {
      values.emplace_back(group, dataset_name(name, taken));
      add_attribute(values.back().dataset(), "name", name);
      add_attribute(values.back().dataset(), "units", unit);
    }
  }
  void add(const framelog::Row& row) {
    t.add(row.t);
    tick.add(row.tick);
    for (std::size_t i = 0; i < columns.size(); ++i) values[i].add(row.values[columns[i]]);
  }
  void flush() {
    t.flush();
    tick.flush();
    for (auto& column : values) column.flush();
  }

  Hdf5Handle group;
  Hdf5Column<double> t;
  Hdf5Column<std::int64_t> tick;
  std::vector<std::size_t> columns;
  std::vector<Hdf5Column<double>> values;
};

struct Gaps {
  explicit Gaps(const Hdf5Handle& file)
      : group(create_group(file, "gaps")),
        first(group, "first"),
        last(group, "last"),
        reason(group, "reason") {
    add_attribute(reason.dataset(), "names", "0 ring, 1 disk, 2 trigger");
  }
  Hdf5Handle group;
  Hdf5Column<std::int64_t> first, last, reason;
};

class Hdf5Writer final : public framelog::LogVisitor {
 public:
  Hdf5Writer(const std::string& file, const ExportOptions& options,
             const framelog::Progress& progress)
      : file_(create_hdf5(file)), gaps_(file_), options_(options), progress_(progress) {}

  void begin(const framelog::LogHead& head) override {
    auto words = options_.signals;
    if (words.empty()) words = all_of(head);
    const auto chosen = choose(head, words);
    if (!chosen) throw Hdf5Error{chosen.error()};
    add_attributes(file_, head.description);
    for (const Chosen& c : *chosen) groups_[static_cast<std::size_t>(c.part)].emplace(file_, c);
  }
  [[nodiscard]] bool wants(LogPart part) const override {
    return part != LogPart::frame && part != LogPart::change && part != LogPart::keyframe;
  }
  void row(LogPart part, const framelog::Row& row) override {
    auto& group = groups_[static_cast<std::size_t>(part)];
    if (!group) return;
    group->add(row);
    ++rows_;
  }
  void gap(const framelog::Gap& gap) override {
    gaps_.first.add(gap.first);
    gaps_.last.add(gap.last);
    gaps_.reason.add(static_cast<std::int64_t>(gap.reason));
  }
  bool go_on(double part) override { return !progress_ || progress_(part); }

  std::int64_t finish() {
    for (auto& group : groups_) {
      if (group) group->flush();
    }
    for (auto* column : {&gaps_.first, &gaps_.last, &gaps_.reason}) column->flush();
    check(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL), "write the file");
    return rows_;
  }

 private:
  // Here there is a place for the timing too.
  static std::vector<std::string> all_of(const framelog::LogHead& head) {
    std::vector<std::string> words;
    for (const LogPart part :
         {LogPart::inputs, LogPart::states, LogPart::outputs, LogPart::timing, LogPart::counts}) {
      if (head.columns[static_cast<std::size_t>(part)].empty()) continue;
      words.emplace_back(framelog::to_string(part));
    }
    return words;
  }

  Hdf5Handle file_;
  Gaps gaps_;
  const ExportOptions& options_;
  const framelog::Progress& progress_;
  std::array<std::optional<Group>, framelog::part_count> groups_;
  std::int64_t rows_ = 0;
};

}  // namespace

Result<Exported> export_hdf5(mcap::ByteSource& log, const std::string& file,
                             const ExportOptions& options, const framelog::Progress& progress) {
  try {
    Hdf5Writer writer(file, options, progress);
    auto scan = framelog::read_log(log, writer, options.range);
    if (!scan) return tl::make_unexpected(scan.error());
    return Exported{writer.finish(), std::move(*scan)};
  } catch (const Hdf5Error& failed) {
    if (failed.error.code == ExitCode::usage) return tl::make_unexpected(failed.error);
    return fail(failed.error.code, "{}: {}", file, failed.error.message);
  }
}

}  // namespace hild::convert
