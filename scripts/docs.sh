#!/bin/bash
# Builds the documentation in .build-docs/site: guide, C, C++ and Python reference by Sphinx, Swift
# reference by DocC. Every warning is an error.
#
#   docs.sh PYTHON [PATH]
#
# PYTHON has docs/site/requirements.txt installed. PATH is the path of the site on its server: "/" or,
# for example, "/immutabledata/". Only the Swift pages depend on it.
set -euo pipefail

python=$1
path=${2:-/}
out=.build-docs
pages=$out/source
# In an order in which each module follows those that it uses.
modules="ImmutableData ImmutableObservation ImmutableJSON JMESPath StateEngine ProductSupport CounterData
  AnimalsData QuakesData FoodTruckData ImmutableDataC ImmutableDataTesting"

rm -rf "$out"
mkdir -p "$pages" "$out/docc"

# ---- C and C++: Doxygen reads the headers, Breathe shows what it found.
doxygen docs/site/Doxyfile
"$python" docs/site/c_reference.py "$out/doxygen/xml" "$pages"

# ---- Swift: the compiler writes the symbols of a debug build, DocC makes an archive of each module.
# Both packages use one folder. The last build leaves its build manifest there, for a "swift build" by hand.
swift build --quiet --disable-build-manifest-caching \
  --package-path shared-library --scratch-path .build --product immutabledata
swift build --quiet --disable-build-manifest-caching
built=$(swift build --show-bin-path)
triple=$(swift -print-target-info | "$python" -c \
  'import json, sys; print(json.load(sys.stdin)["target"]["unversionedTriple"])')
# The modules of C: those of targets, and of system libraries.
maps=()
for folder in "$built"/C*.build Sources/C*; do
  maps+=(-I "$folder")
done
archives=()
for module in $modules; do
  mkdir -p "$out/graphs/$module"
  swift symbolgraph-extract -module-name "$module" -target "$triple" -I "$built/Modules" "${maps[@]}" \
    -minimum-access-level public -skip-synthesized-members -emit-extension-block-symbols \
    -output-dir "$out/graphs/$module"
  docc convert --warnings-as-errors --additional-symbol-graph-dir "$out/graphs/$module" \
    --fallback-display-name "$module" --fallback-bundle-identifier "immutabledata.$module" \
    --fallback-default-module-kind Module --enable-experimental-external-link-support \
    "${archives[@]/#/--dependency=}" --transform-for-static-hosting \
    --hosting-base-path "${path%/}/swift" --output-path "$out/docc/$module.doccarchive" >"$out/docc.log" || {
    cat "$out/docc.log"
    exit 1
  }
  archives+=("$out/docc/$module.doccarchive")
done
docc merge "${archives[@]}" --synthesized-landing-page-name "Swift modules" \
  --output-path "$out/swift" >/dev/null
"$python" docs/site/swift_reference.py "$out" "$pages/swift.md" $modules

# ---- Sphinx: the pages have the same paths as in the repository, so their links lead to each other.
git ls-files -z --cached --others --exclude-standard -- '*.md' LICENSE apps docs drivers examples include |
  xargs -0 cp --parents --target-directory="$pages"
cp -r docs/site/{index.md,design.md,python} "$pages"
IMMUTABLEDATA_LIBRARY=$built/libimmutabledata.so PYTHONPATH=bindings/python/src \
  "$python" -m sphinx --quiet --fail-on-warning --keep-going -c docs/site "$pages" "$out/site"
cp -r "$out/swift" "$out/site/swift"
