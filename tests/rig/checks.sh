# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# What tests say and how they look at things, on the host and in the guest (where it is
# /rig/checks.sh). A test ends with `exit $failures`.
failures=0

check() { # what, expected, found
  if [ "$2" = "$3" ]; then
    echo "ok    $1"
  else
    echo "WRONG $1: expected '$2', found '$3'"
    failures=$((failures + 1))
  fi
}

check_says() { # what, extended pattern, file
  if grep -Eq "$2" "$3"; then
    echo "ok    $1"
  else
    echo "WRONG $1: expected to read '$2', found:"
    sed 's/^/      | /' "$3"
    failures=$((failures + 1))
  fi
}

# Runs a command; what it says goes to a file, and is shown when its status is another.
check_run() { # what, expected status, file, command...
  ran_what=$1 ran_expected=$2 ran_file=$3
  shift 3
  ran=0
  "$@" >"$ran_file" 2>&1 || ran=$?
  check "$ran_what" "$ran_expected" "$ran"
  [ "$ran_expected" = "$ran" ] || sed 's/^/      | /' "$ran_file"
}

near() { # found, expected, largest difference
  awk "BEGIN { exit !($1 - ($2) <= $3 && $2 - ($1) <= $3) }"
}

check_near() { # what, found, expected, largest difference
  if near "$2" "$3" "$4"; then
    echo "ok    $1"
  else
    echo "WRONG $1: expected '$3' within $4, found '$2'"
    failures=$((failures + 1))
  fi
}

check_that() { # what, comparison in the words of awk
  if awk "BEGIN { exit !($2) }"; then
    echo "ok    $1"
  else
    echo "WRONG $1: not true: $2"
    failures=$((failures + 1))
  fi
}

# In the guest: leaves its time in the witness of the boot (boots.bash), in ns; and what a disturbance has moved that is
# over by then: how often tasks were switched, and of each CPU how long it slept, ran tasks and kept tasks waiting, in ns.
mark() { # name
  echo "$1" "$(sed -n 's/^now at \([0-9]*\).*/\1/p; s/.*[.]idle_sleeptime *: *\([0-9]*\).*/\1/p' /proc/timer_list)" \
    "$(sed -n 's/^ctxt //p' /proc/stat)" "$(awk '/^cpu/ { print $8, $9 }' /proc/schedstat)" | tr '\n' ' ' >>/out/witness
  echo >>/out/witness
}

# Waits until a command succeeds, for five minutes at most and while a process lives: an emulator on a busy host
# is slow.
await() { # process, command...
  awaited=$1 tries=3000
  shift
  until "$@" >/dev/null 2>&1; do
    tries=$((tries - 1))
    if [ $tries -eq 0 ] || ! kill -0 "$awaited"; then
      echo "WRONG gave up waiting: $*"
      failures=$((failures + 1))
      return
    fi
    sleep 0.1
  done
}

# One value of a JSON file, named by its path: "overruns.by_cause.pass", "passes_us.0.p50".
value() { # file, path
  awk -v wanted="$2" '
    { text = text $0 "\n" }
    END {
      depth = 0
      while (match(text, /"([^"\\]|\\.)*"|[-+.a-zA-Z0-9]+|[][{},:]/)) {
        token = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (token == "{" || token == "[") { ++depth; key[depth] = token == "[" ? 0 : "" }
        else if (token == "}" || token == "]") --depth
        else if (token == ",") { if (key[depth] ~ /^[0-9]+$/) ++key[depth] }
        else if (token == ":") key[depth] = last
        else {
          gsub(/^"|"$/, "", token)
          path = key[1]
          for (i = 2; i <= depth; ++i) path = path "." key[i]
          if (path == wanted && text !~ /^:/) { print token; exit }
          last = token
        }
      }
    }' "$1"
}
