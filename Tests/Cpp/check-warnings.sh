#!/bin/sh
# The headers cause no warnings in a program that includes them as its own.
#
#     check-warnings.sh INCLUDE-DIRECTORY COMPILER
set -eu
include=$1
compiler=$2
tests=$(dirname "$0")

for standard in 17 20; do
  # These programs instantiate the templates.
  for source in header value store callbacks log; do
    case $source in
    header) file=$tests/header.cpp ;;
    *) file=$tests/test_$source.cpp ;;
    esac
    "$compiler" "-std=c++$standard" -Wall -Wextra -pedantic -Werror -Wold-style-cast -Wconversion \
      -Wsign-conversion -Wshadow "-I$include" "-I$tests/../C" -fsyntax-only "$file"
  done
done
