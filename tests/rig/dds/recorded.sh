# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034,SC2086,SC2154
#
# In the guest: of the recordings of what was done so far, how old everything was that nodes used, and when they noticed
# that they were alone.
end_all
for node in a b c; do
  check "$node ended well" 0 "$(value "$(file $node json)" outcome.exit_code)"
  # Frame, due, start, instants of two groups, two inputs, two outputs.
  images "$(file $node mcap)" >$node.images
done
check_run "what they heard repeats" 0 replay.txt hild_rig replay "$(file c mcap)"

# What the network did to samples, where network.sh was before this.
late_samples() {
  # Of what c had of b, in us: the least and the largest age.
  ages() { # from, to
    awk -v from="$1" -v to="$2" '
      $2 > from + 1e8 && $2 <= to { age = ($3 - $5) / 1e3; if (!n++ || age < least) least = age; if (age > most) most = age }
      END { printf "%d %.1f %.1f\n", n, least, most }' c.images
  }
  for stage in quiet late wild; do
    eval "ages \$${stage}_from \$${stage}_to" >ages.txt
    read -r count least most <ages.txt
    echo "$stage: ages of $least us to $most us in $count frames"
    eval "least_$stage=$least most_$stage=$most"
  done
  check_that "a frame on a quiet network" "$least_quiet > 4500 && $most_quiet < 5500"
  check_that "12 ms late, and the rest of a frame" "$least_late >= 12000 && $most_late < 15500"
  check_that "5 ms to 35 ms late, and never older than an input may be" "$least_wild >= 5000 && $most_wild > 25000 && $most_wild < 102000"

  # The instant that c has of a sample is that at which b put it out: as old as its value says.
  awk -v to="$wild_to" '
    NR == FNR { if ($8 > 0) made[$8] = $3; next }
    $2 <= to && $7 > 0 && ($7 in made) && $7 != last {
      off = ($5 - made[$7]) / 1e3
      if (!n++ || off < least) least = off
      if (n == 1 || off > most) most = off
      last = $7
    }
    END { printf "%d %.1f %.1f\n", n, least, most }' b.images c.images >instants.txt
  read -r count least most <instants.txt
  echo "instants of $count samples: $least us to $most us after the step began that made them"
  check_that "each sample is of the instant at which b put it out" "$count > 700 && $least > 4500 && $most < 5500"
}
[ -z "${wild_from-}" ] || late_samples

# Who noticed what after each cut, in the frame that says so: how old the newest sample was.
while read -r pair before cut frame; do
  group=4
  [ "$(input "${pair%?}" "${pair#?}")" = x.ignored ] || group=5
  awk -v frame="$frame" -v group=$group -v cut="$cut" '
    $1 == frame { printf "%.3f %.3f %.3f\n", ($3 - $group) / 1e6, ($3 - cut) / 5e6, ($group - cut) / 1e6 }' \
    "${pair%?}.images" >noticed.txt
  read -r age frames after <noticed.txt
  echo "${pair%?} misses ${pair#?} in frame $frame: the newest sample is $age ms old, $frames frames after the cut"
  check_that "as soon as it is older than 102 ms" "$age > 102 && $age < 107.5"
  check_that "within 102 ms and a frame of the cut" "$frames < (102 + 5) / 5"
  check_that "and was made before the cut" "$after < 0.1"
done <cuts
