// SPDX-License-Identifier: Apache-2.0
/// `hild export`: the signals of a recording for other programs.
#include "recording/convert/export.hpp"

#include <memory>

#include "cli/main/commands.hpp"
#include "cli/main/log_options.hpp"
#include "cli/main/log_progress.hpp"
#include "cli/report/text.hpp"
#include "cli/terminal/print.hpp"

namespace hild::commands {
namespace {

struct ExportArguments {
  std::string file;
  std::string format = "csv";
  std::string output;
  std::string from, to;
  std::vector<std::string> signals;
};

ExitCode export_log(const ExportArguments& a) {
  if (a.format == "hdf5" && a.output.empty()) {
    return complain({"--format hdf5 needs --output FILE.h5"});
  }
  const auto range = range_of(a.from, a.to);
  if (!range) return complain(range.error());
  auto source = mcap::FileSource::open(a.file);
  if (!source) return complain(source.error());
  const convert::ExportOptions options{a.signals, *range};
  LogProgress progress("exporting");
  const auto written = a.format == "csv"
                           ? convert::export_csv(*source, a.output, options, std::ref(progress))
                           : convert::export_hdf5(*source, a.output, options, std::ref(progress));
  if (!written) return complain(written.error());
  const mcap::Scan& scan = written->scan.file;
  if (scan.damage_count > 0) {
    cli::tell("hild: warning: {} is damaged: `hild log {}` tells where\n", a.file, a.file);
  }
  if (Interrupted::raised()) cli::tell("hild: interrupted, the rest is missing\n");
  if (!a.output.empty()) {
    cli::print("{} rows in {}\n", report::grouped(written->rows), a.output);
  }
  return ExitCode::done;
}

}  // namespace

void add_export(CLI::App& app, ExitCode& exit_code) {
  auto* command = app.add_subcommand("export", "the signals of a recording as CSV or HDF5");
  const auto a = std::make_shared<ExportArguments>();
  command->add_option("LOG", a->file, "recording (MCAP)")->required();
  command->add_option("--format", a->format, "csv, or hdf5 for MATLAB, h5py and others")
      ->check(CLI::IsMember({"csv", "hdf5"}))
      ->capture_default_str();
  command->add_option("--output", a->output, "write there; CSV else goes to standard output")
      ->type_name("FILE");
  command
      ->add_option("--signals", a->signals,
                   "only these: inputs, outputs, states, timing, counts (raw, of converters), "
                   "outputs.NAME or NAME")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_range(*command, a->from, a->to);
  command->callback([=, &exit_code] { exit_code = export_log(*a); });
}

}  // namespace hild::commands
