#!/bin/sh
# Makes ../width_table.go anew. Needs Java 11 or later and Maven.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mvn -q -B dependency:copy -Dartifact=com.ibm.icu:icu4j:67.1 -DoutputDirectory="$work"
java -cp "$work/icu4j-67.1.jar" Width.java > "$work/width_table.go"
gofmt "$work/width_table.go" > ../width_table.go
