// SPDX-License-Identifier: Apache-2.0
/// \file
/// Advice on the CPUs of models, for people and for programs.
#pragma once

#include <boost/json/value.hpp>
#include <string>

#include "offline/advise/cpus.hpp"

namespace hild::report {

[[nodiscard]] std::string cpu_advice_text(const advise::CpuAdvice& advice);
[[nodiscard]] boost::json::value cpu_advice_json(const advise::CpuAdvice& advice);

}  // namespace hild::report
