// SPDX-License-Identifier: Apache-2.0
/// \file
/// Makes all calls that a run may make of a model, the rare ones included, under a watch.
#pragma once

#include <vector>

#include "foreign/examine/watch.hpp"

namespace hild::examine {

class Tour {
 public:
  Tour(model::Stepper& plant, const ExaminationOptions& options, Examination& result);
  void run();

 private:
  void go();
  void step(SimTime t);
  void events(double t);
  void rare_calls(SimTime t);

  model::Stepper& plant_;
  const ExaminationOptions& options_;
  Examination& result_;
  CallWatch watch_;
  const model::Description& d_;
  std::vector<double> u_, y_, g_, j_;
  std::vector<double> g_before_;  // at the end of the step before, after the events in it
  std::vector<long> in_a_row_;    // for each event, consecutive steps in which it was due
};

}  // namespace hild::examine
