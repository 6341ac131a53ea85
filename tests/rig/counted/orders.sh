# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# The order of a method under samples that come late: the error of a real run against the solution under its
# own recorded inputs, at two step lengths, and beside a run in which every sample is on time. So is the error
# that the run itself estimates of its steps.
error_of() { # method, period, option of hild run...; `error`: largest of the speed; `lateness`; `estimate` of a step
  method=$1 period=$2
  shift 2
  hild run "$tests/sine.yaml" --set integrator.method="$method" --set frame.period="$period" --duration 0.3 \
    --report run.json "$@" >run.txt 2>&1 || cat run.txt
  estimate=$(value run.json local_error.p99)
  hild replay /tmp/sine.mcap --reference --json >split.json
  error=$(value split.json states.1.total.largest) lateness=$(value split.json states.1.lateness.largest)
}
for method in rtrk-4 rtam-4 ab-4; do
  error_of $method "1 ms" --offline
  on_time=$error estimate_on_time=$estimate
  error_of $method "2 ms"
  long=$error
  error_of $method "1 ms"
  echo "      $method: error of the speed $error rad/s, of it by lateness $lateness; $on_time on time;" \
    "$long at 2 ms; estimated of a step $estimate, on time $estimate_on_time"
  check "it is the speed's" '"speed"' "\"$(value split.json states.1.name)\""
  check "$method: no overrun" 0 "$(value split.json states.1.overruns.largest | awk '{ print $1 + 0 }')"
  check_that "$method: samples are late" "$lateness > 0"
  check_that "$method is of order 3.5 or more" "$long >= 11.314 * $error" # 2 to the order
  check_that "$method: as exact as on time" "$error <= 3 * $on_time"
  check_that "$method: it knows that" \
    "$estimate > 0 && $estimate <= 2 * $estimate_on_time && $estimate_on_time <= 2 * $estimate"
done
