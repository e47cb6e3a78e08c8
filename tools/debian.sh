# shellcheck shell=bash
# Sourced by tools/versions and tools/package: a Debian of its own for each version, in a folder
# build/versions/NAME that debootstrap fills once. Delete it to have a newer one.

folders=$BUILD/versions

# For these scripts: root, and the programs that make a Debian.
need_debootstrap() {
  local lacking=() c
  [ "$(id -u)" = 0 ] || lacking+=("to be run as root")
  for c in debootstrap unshare setpriv apt-get git; do command -v "$c" >/dev/null || lacking+=("$c"); done
  if [ ${#lacking[@]} != 0 ]; then die "missing: $(printf '%s, ' "${lacking[@]}" | sed 's/, $//')"; fi
  use_proxy
  mkdir -p "$folders"
}

release_of() {
  case $1 in
    15) echo bookworm ;;
    17) echo trixie ;;
    18) echo forky ;;
    *) die "no Debian is known here for PostgreSQL $1 (15, 17 or 18)" ;;
  esac
}

# What this machine's apt knows: Debian's mirror, and how to get through to it.
mirror() {
  if [ -n "${MIRROR:-}" ]; then
    printf '%s\n' "$MIRROR"
  else
    # shellcheck disable=SC2016 # apt's own variables
    apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(COMPONENT)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
      sed -n 's/^Debian|Debian|main|//p' | head -n 1
  fi
}
use_proxy() {
  local setting_http='' setting_https=''
  eval "$(apt-config shell setting_http Acquire::http::Proxy setting_https Acquire::https::Proxy)"
  if [ -n "$setting_http" ]; then export http_proxy=$setting_http; fi
  if [ -n "$setting_https" ]; then export https_proxy=$setting_https; fi
}

# alone FOLDER COMMAND...: with mounts and processes of its own, which end with it.
alone() {
  # shellcheck disable=SC2016 # expanded by the shell that is started
  unshare --mount --propagation private --pid --fork --kill-child bash -c '
    set -e
    folder=$1
    shift
    if [ -d "$folder/proc" ]; then
      mount -t proc proc "$folder/proc"
      mkdir -p "$folder/dev/shm"
      mount -t tmpfs -o mode=1777 tmpfs "$folder/dev/shm"
    fi
    exec "$@"' bash "$@"
}
# inside FOLDER USER COMMAND...: in the checkout's copy (or in $AT), with an environment of its own.
inside() {
  local folder=$1 user=$2 home=/root
  if [ "$user" != root ]; then home=/home/$user; fi
  alone "$folder" chroot "$folder" setpriv --reuid="$user" --regid="$user" --init-groups \
    env -i -C "${AT:-/home/checker/checkout}" HOME="$home" USER="$user" LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "${@:3}" </dev/null
}

# Fills a folder with a minimal Debian whose apt is set up like this machine's.
bootstrap() {
  local release=$1 folder=$2 from script=/usr/share/debootstrap/scripts/$1
  if [ -e "$folder/home/checker" ]; then return 0; fi
  from=$(mirror)
  [ -n "$from" ] || die "apt's configuration names no mirror of Debian: apt-get update, or MIRROR=..."
  [ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid # newer than this debootstrap
  say "Making a Debian $release in ${folder#"$ROOT"/} ..."
  rm -rf "$folder"
  mkdir -p "$folder"
  alone "$folder" debootstrap --variant=minbase "$release" "$folder" "$from" "$script" >"$folder.log" 2>&1 ||
    { tail -n 5 "$folder.log" && return 1; }
  # A release that is not out yet may come with an expired list.
  {
    apt-config dump | grep -E '^Acquire::(https?|Retries)' || true
    printf 'Acquire::Check-Valid-Until "false";\n'
  } >"$folder/etc/apt/apt.conf.d/90machine"
  if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
    mkdir -p "$folder/etc/ssl/certs"
    cp -L /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/"
  fi
  printf 'force-unsafe-io\n' >"$folder/etc/dpkg/dpkg.cfg.d/unsafe-io"
  printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d" # no service starts in there
  chmod +x "$folder/usr/sbin/policy-rc.d"
  chroot "$folder" useradd --create-home --shell /bin/bash checker
}

# copy_checkout FOLDER NAME: the checkout as it is now, without what git ignores, in the home of
# checker. The copy's own build/ stays.
copy_checkout() {
  local copy=$1/home/checker/$2
  mkdir -p "$copy"
  find "$copy" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
  git -c safe.directory="$ROOT" ls-files -z --cached --others --exclude-standard |
    while IFS= read -r -d '' file; do if [ -e "$file" ]; then printf '%s\0' "$file"; fi; done |
    tar --null --files-from=- -cf - | tar -xf - -C "$copy"
  chroot "$1" chown -R checker:checker "/home/checker/$2"
}
