#!/bin/sh
# Checks the dependencies of the build, with an argument also those of "test", of "test-rest" (the other
# tests), of "postgresql" (the log driver), of "deb" (the Debian packages), of "docs" (the documentation),
# or of "benchmark" (the libraries to compare with).
# Installs missing ones where possible: as root, or with sudo without a password, on Debian and
# similar systems.
set -eu

missing=
need() { # COMMAND-THAT-SUCCEEDS-IF-INSTALLED PACKAGE
  sh -c "$1" >/dev/null 2>&1 || missing="$missing $2"
}

if ! version=$(swift --version 2>&1); then
  echo "swift does not run: install Swift 6.3 or later, and the packages that it needs, from" \
    "https://www.swift.org/install ($version)" >&2
  exit 1
fi

need "command -v cc" gcc
need "command -v c++" g++
need "command -v cmake" cmake
need "command -v pkg-config" pkg-config
need "pkg-config --exists jansson" libjansson-dev
need "pkg-config --exists sqlite3" libsqlite3-dev
need "command -v python3" python3
need "python3 -c 'import ensurepip, venv'" python3-venv
# For the extension of the Python package, which a build can do without.
headers="python3 -c 'import os, sysconfig as c; os.stat(c.get_path(\"include\") + \"/Python.h\")'"
if [ "${1:-}" = test ]; then
  need "$headers" python3-dev
  need "command -v nm" binutils
  need "command -v jq" jq
  need "pkg-config --exists libcurl" libcurl4-openssl-dev
  need "pkg-config --exists ncursesw" libncurses-dev
  need "command -v node" nodejs
  need "command -v tsc" node-typescript
  need "test -f /usr/share/nodejs/redux/dist/redux.js" node-redux
  need "command -v tmux" tmux
fi
if [ "${1:-}" = test-rest ]; then
  need "command -v valgrind" valgrind
  need "test -f /usr/share/zoneinfo/Europe/Berlin" tzdata
  need "command -v tmux" tmux
  need "command -v abidw" abigail-tools
  need "command -v debootstrap" debootstrap
  need "command -v unshare" util-linux
  need "command -v chromium" chromium
  # For the recipes of the cookbook.
  need "command -v Xvfb" xvfb
  need "python3 -c 'import tkinter'" python3-tk
  # The plugin of Qt for Xvfb needs these, which PySide6-Essentials has not.
  for library in xcb-cursor0 xcb-icccm4 xcb-keysyms1 xcb-image0 xcb-render-util0 xkbcommon-x11-0 egl1; do
    need "dpkg -s lib$library" "lib$library"
  done
  need "pkg-config --exists gtk4" libgtk-4-dev
  need "pkg-config --exists sdl2" libsdl2-dev
fi
if [ "${1:-}" = postgresql ] || [ "${1:-}" = test-rest ]; then
  need "pkg-config --exists 'libpq >= 14'" libpq-dev
  # For the tests, which start servers of their own. Installing postgresql also starts one.
  need "ls /usr/lib/postgresql/*/bin/initdb" postgresql
  need "test -x /usr/sbin/pgbouncer" pgbouncer
fi
if [ "${1:-}" = docs ]; then
  need "command -v doxygen" doxygen
fi
if [ "${1:-}" = deb ]; then
  need "$headers" python3-dev
  need "command -v dpkg-shlibdeps" dpkg-dev
fi
if [ "${1:-}" = benchmark ]; then
  need "pkg-config --exists simdjson" libsimdjson-dev
  need "pkg-config --exists RapidJSON" rapidjson-dev
  need "command -v node" nodejs
  need "test -f /usr/share/nodejs/redux/dist/redux.js" node-redux
fi

[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
  as_root=
elif sudo -n true 2>/dev/null; then
  as_root="sudo -n"
else
  as_root=none
fi
if [ "$as_root" = none ] || ! command -v apt-get >/dev/null; then
  echo "missing Debian packages:$missing; install them and try again" >&2
  exit 1
fi

echo "installing:$missing"
$as_root apt-get update -qq </dev/null
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing \
  </dev/null >/dev/null
