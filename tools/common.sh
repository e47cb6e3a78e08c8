# shellcheck shell=bash
# Sourced by the other tools: where things are, and which PostgreSQL is used.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
ROOT=$PWD
BUILD=$ROOT/build
SYSROOT=$BUILD/sysroot
umask 022 # files made by root must stay readable for the server's user
# The scripts start makes of their own: without the outer one's job server.
unset MAKEFLAGS MFLAGS MAKELEVEL

say() { printf '%s\n' "$@"; }
die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# Packages unpacked by tools/setup for a user who may not install any. What the machine itself
# has comes first on the PATH; libraries are only those that the machine lacks.
if [ -d "$SYSROOT/usr" ] && [ "${GPU_ADVISOR_SYSROOT:-}" != "$SYSROOT" ]; then
  export GPU_ADVISOR_SYSROOT=$SYSROOT # once: the scripts start each other
  for d in "$SYSROOT"/usr/lib/*-linux-* "$SYSROOT"/lib/*-linux-*; do
    [ -d "$d" ] && LD_LIBRARY_PATH=$d${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  done
  export LD_LIBRARY_PATH
  export PATH=$PATH:$SYSROOT/usr/bin
  export CPLUS_INCLUDE_PATH=$SYSROOT/usr/include${CPLUS_INCLUDE_PATH:+:$CPLUS_INCLUDE_PATH}
  export CMAKE_PREFIX_PATH=$SYSROOT/usr${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}
fi

# True where this pg_config belongs to a PostgreSQL that can both build and run an extension.
# Debian's server comes with the makefiles and without the headers.
usable_pg_config() {
  [ -n "$1" ] && [ -x "$1" ] && [ -f "$("$1" --pgxs)" ] && [ -f "$("$1" --includedir-server)/postgres.h" ] &&
    [ -x "$("$1" --bindir)/postgres" ]
}

# Prints the pg_config to use: the unpacked one, PostgreSQL 15, the newest, whatever is on the PATH.
find_pg_config() {
  local c
  for c in "$SYSROOT"/usr/lib/postgresql/*/bin/pg_config /usr/lib/postgresql/15/bin/pg_config \
    $(printf '%s\n' /usr/lib/postgresql/*/bin/pg_config | sort -Vr) \
    "$(command -v pg_config || true)"; do
    if usable_pg_config "$c"; then
      printf '%s\n' "$c"
      return
    fi
  done
}

# Sets PG_CONFIG and PG_BIN, or fails.
need_pg() {
  PG_CONFIG=${PG_CONFIG:-$(find_pg_config)}
  usable_pg_config "$PG_CONFIG" ||
    die "no PostgreSQL with its server and build files at '$PG_CONFIG' (tools/setup installs one)"
  export PG_CONFIG
  # shellcheck disable=SC2034 # for the scripts that source this
  PG_BIN=$("$PG_CONFIG" --bindir)
}

# make with all cores, one at a time in this checkout.
locked_make() {
  mkdir -p "$BUILD"
  flock "$BUILD/.make.lock" make --no-print-directory -j"$(nproc)" "$@" </dev/null
}

# Whether clang++ can build a fuzzer.
has_fuzzer() {
  printf 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }\n' |
    clang++ -fsanitize=fuzzer,address -x c++ - -o /dev/null >/dev/null 2>&1
}

# Installs what the package-lock.json in this directory names; at once done where it has not changed.
# npm takes the packages from the registry that it is configured for.
npm_ci() {
  cmp -s "$1/package-lock.json" "$1/node_modules/installed" ||
    (cd "$1" && npm ci --no-audit --no-fund --silent && cp package-lock.json node_modules/installed) </dev/null
}

# Copies an example to build/examples and installs its packages there; prints where that is.
example_copy() {
  local copy=$BUILD/examples/$1
  mkdir -p "$copy"
  cp -r "examples/$1/." "$copy" && npm_ci "$copy" >&2 && printf '%s\n' "$copy"
}
