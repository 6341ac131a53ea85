// SPDX-License-Identifier: Apache-2.0
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>
#include <utility>

#include "recording/convert/export.hpp"
#include "recording/convert/selection.hpp"

namespace hild::convert {
namespace {

using framelog::LogPart;

// ---- the part of HDF5 that an export needs -----------------------------------------------------

/// The exception that ends an export; its message says what the library could not do.
struct Hdf5Error {
  Error error;
};

/// The innermost reason the library gives.
std::string reason() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_DOWNWARD,
      [](unsigned, const H5E_error2_t* error, void* to) -> herr_t {
        if (error->desc != nullptr && *error->desc != '\0') {
          *static_cast<std::string*>(to) = error->desc;
        }
        return 0;
      },
      &text);
  return text;
}

/// Throws Hdf5Error, its message naming `what`, when `status` (or a number of an object) is a
/// failure.
template <class Status>
Status check(Status status, std::string_view what) {
  if (status < 0) throw Hdf5Error{{fmt::format("cannot {}: {}", what, reason()), ExitCode::fault}};
  return status;
}

/// Owns an object of the library, which the destructor closes.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  /// Throws Hdf5Error, its message naming `what`, when `id` is not valid.
  Hdf5Handle(hid_t id, Close close, std::string_view what)
      : id_(check(id, fmt::format("make {}", what))), close_(close) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  [[nodiscard]] hid_t id() const noexcept { return id_; }

 private:
  hid_t id_;
  Close close_;
};

void add_attribute(const Hdf5Handle& to, const std::string& name, const std::string& text) {
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "a type");
  check(H5Tset_size(type.id(), text.empty() ? 1 : text.size()), "set a text's size");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "set a text's encoding");
  check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "set a text's padding");
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose, "a data space");
  const Hdf5Handle attribute(
      H5Acreate2(to.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
      fmt::format("the attribute {}", name));
  check(H5Awrite(attribute.id(), type.id(), text.c_str()), "write an attribute");
}

Hdf5Handle create_group(const Hdf5Handle& in, const std::string& name) {
  return {H5Gcreate2(in.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
          fmt::format("the group {}", name)};
}

/// A one-dimensional dataset that grows; values are written in blocks.
template <class Number>
class Hdf5Column {
 public:
  Hdf5Column(const Hdf5Handle& group, const std::string& name)
      : dataset_(create(group, name), H5Dclose, fmt::format("the dataset {}", name)) {
    block_.reserve(block_size);
  }
  void add(Number value) {
    block_.push_back(value);
    if (block_.size() == block_size) flush();
  }
  void flush() {
    if (block_.empty()) return;
    const hsize_t count = block_.size();
    const hsize_t rows = rows_ + count;
    check(H5Dset_extent(dataset_.id(), &rows), "extend a dataset");
    const Hdf5Handle file(H5Dget_space(dataset_.id()), H5Sclose, "a data space");
    check(H5Sselect_hyperslab(file.id(), H5S_SELECT_SET, &rows_, nullptr, &count, nullptr),
          "select rows");
    const Hdf5Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose, "a data space");
    check(H5Dwrite(dataset_.id(), type(), memory.id(), file.id(), H5P_DEFAULT, block_.data()),
          "write rows");
    rows_ = rows;
    block_.clear();
  }
  [[nodiscard]] const Hdf5Handle& dataset() const noexcept { return dataset_; }

 private:
  static constexpr hsize_t block_size = 8192;
  static hid_t type() {
    return std::is_same_v<Number, double> ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
  }
  static hid_t create(const Hdf5Handle& group, const std::string& name) {
    const hsize_t none = 0;
    const hsize_t unlimited = H5S_UNLIMITED;
    const Hdf5Handle space(H5Screate_simple(1, &none, &unlimited), H5Sclose, "a data space");
    const Hdf5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "a property list");
    check(H5Pset_chunk(how.id(), 1, &block_size), "set a chunk's size");
    return H5Dcreate2(group.id(), name.c_str(), type(), space.id(), H5P_DEFAULT, how.id(),
                      H5P_DEFAULT);
  }

  Hdf5Handle dataset_;
  std::vector<Number> block_;
  hsize_t rows_ = 0;
};

Hdf5Handle create_file(const std::string& file) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // reason() asks for them
  return {H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
          fmt::format("the file {}", file)};
}

// ---- a log in it -------------------------------------------------------------------------------

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
  explicit Gaps(const Hdf5Handle& file) : group(create_group(file, "gaps")) {
    for (const char* name : {"first", "last", "reason"}) columns.emplace_back(group, name);
    add_attribute(columns.back().dataset(), "names", "0 ring, 1 disk, 2 trigger");
  }
  Hdf5Handle group;
  std::vector<Hdf5Column<std::int64_t>> columns;
};

class Hdf5Writer final : public framelog::LogVisitor {
 public:
  Hdf5Writer(const std::string& file, const ExportOptions& options,
             const framelog::Progress& progress)
      : file_(create_file(file)), gaps_(file_), options_(options), progress_(progress) {}

  void begin(const framelog::LogHead& head) override {
    const auto chosen = choose(head, options_.signals, Unasked::all);
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
    gaps_.columns[0].add(gap.first);
    gaps_.columns[1].add(gap.last);
    gaps_.columns[2].add(static_cast<std::int64_t>(gap.reason));
  }
  bool go_on(double part) override { return !progress_ || progress_(part); }

  std::int64_t finish() {
    for (auto& group : groups_) {
      if (group) group->flush();
    }
    for (auto& column : gaps_.columns) column.flush();
    check(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL), "write the file");
    return rows_;
  }

 private:
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
