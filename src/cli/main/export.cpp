// SPDX-License-Identifier: Apache-2.0
/// `hild export`: the signals of a recording for other programs.
#include "recording/convert/export.hpp"

#include "cli/main/commands.hpp"
#include "cli/main/log_progress.hpp"
#include "cli/report/text.hpp"
#include "cli/terminal/print.hpp"

namespace hild::commands {
namespace {

struct ExportArguments {
  std::string file;
  std::string format = "csv";
  std::string output;
  RangeArguments range;
  std::vector<std::string> signals;
};

void export_log(const ExportArguments& a) {
  if (a.format == "hdf5" && a.output.empty()) {
    throw Error{"--format hdf5 needs --output FILE.h5"};
  }
  const convert::ExportOptions options{a.signals, range_of(a.range)};
  auto source = needed(mcap::FileSource::open(a.file));
  LogProgress progress("exporting");
  const auto written = needed(
      a.format == "csv" ? convert::export_csv(source, a.output, options, std::ref(progress))
                        : convert::export_hdf5(source, a.output, options, std::ref(progress)));
  if (written.scan.file.damage_count > 0) {
    cli::tell("hild: warning: {} is damaged: `hild log {}` tells where\n", a.file, a.file);
  }
  if (Interrupted::raised()) cli::tell("hild: interrupted, the rest is missing\n");
  if (!a.output.empty()) {
    cli::print("{} rows in {}\n", report::grouped(written.rows), a.output);
  }
}

}  // namespace

void add_export(CLI::App& app, ExitCode& exit_code) {
  auto [command, a] = add_command(app, exit_code, "export",
                                  "the signals of a recording as CSV or HDF5", export_log);
  command.add_option("LOG", a.file, "recording (MCAP)")->required();
  command.add_option("--format", a.format, "csv, or hdf5 for MATLAB, h5py and others")
      ->check(CLI::IsMember({"csv", "hdf5"}))
      ->capture_default_str();
  add_option(command, "--output", a.output, "FILE",
             "write there; CSV else goes to standard output");
  add_repeated(command, "--signals", a.signals, "NAME,...",
               "only these: inputs, outputs, states, timing, counts (raw, of converters), "
               "outputs.NAME or NAME")
      .delimiter(',');
  add_range_arguments(command, a.range);
}

}  // namespace hild::commands
