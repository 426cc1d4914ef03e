#!/bin/bash
# Reads the changed plans with each release: run.sh DIRECTORY, which holds a distribution of each, DIRECTORY/2.3.0/lib and so on.
# Every release reads the plans that it wrote itself, and 2.3.0 reads those of all.
set -e
cd "$(dirname "$0")"
work=$(mktemp -d)
open=""
for p in lang net io nio lang.reflect text time util util.concurrent util.concurrent.atomic util.concurrent.locks; do
  open="$open --add-opens=java.base/java.$p=ALL-UNNAMED"
done
for plan in 1.15.4 1.18.1 2.0.2 2.1.3 2.3.0; do
  for release in $plan 2.3.0; do
    classpath=$(ls "$1/$release"/lib/*.jar | tr '\n' ':')
    javac -cp "$classpath" -d "$work/$release" PlanReader.java
    (echo -e "case\t$release"; java $open -Xmx1g -XX:TieredStopAtLevel=1 -cp "$work/$release:$classpath" PlanReader ../../../testdata/plans/$plan/lab-regular.json cases.tsv) >"$work/$release.tsv" 2>"$work/log"
    [ $release != $plan ] || mv "$work/$release.tsv" "$work/own.tsv"
    [ $plan != 2.3.0 ] || break
  done
  if [ $plan = 2.3.0 ]; then cp "$work/own.tsv" $plan.tsv; else paste "$work/own.tsv" <(cut -f2- "$work/2.3.0.tsv") >$plan.tsv; fi
done
rm -r "$work"
