#!/bin/bash
# Lists the states of real jobs: ./run.sh RELEASE [QUERY...]   writes plans/RELEASE/QUERY.json and RELEASE.tsv
#
#   SQL_CLIENT  a command that runs that release's SQL client (embedded), for example "$FLINK_HOME/bin/sql-client.sh embedded"
#   FLINK_LIB   that release's lib directory (for the lister's class path)
# A cluster of that release must run at localhost:8081 with three free slots, on this machine (savepoints are files).
set -e
cd "$(dirname "$0")"
release=$1; shift
[ $# -gt 0 ] && queries="$*" || queries=$(cd sql; ls | grep -v '^tables.sql$' | sed 's/\.sql$//')
work=$(mktemp -d); trap 'exec 3>&-; rm -rf "$work"' EXIT
plans=$PWD/plans/$release; mkdir -p "$plans"
mkdir -p /tmp/flinkread-changes
cat > /tmp/flinkread-changes/changes.json <<'J'
{"before":null,"after":{"user_id":1,"tier":1},"op":"c"}
{"before":null,"after":{"user_id":2,"tier":1},"op":"c"}
{"before":{"user_id":1,"tier":1},"after":{"user_id":1,"tier":2},"op":"u"}
J
class_path=$(ls "$FLINK_LIB"/*.jar | tr '\n' ':')
javac -d "$work" -cp "$class_path" StateLister.java

# One session for all, fed through a pipe.
mkfifo "$work/statements"
$SQL_CLIENT -i sql/tables.sql < "$work/statements" > "$work/client.out" 2>&1 &
exec 3> "$work/statements"
# ask STATEMENTS CONDITION waits until the condition holds; it fails when the client prints an error first.
ask() {
  errors=$(grep -c '\[ERROR\]' "$work/client.out" || true)
  echo "$1" >&3
  for i in $(seq 240); do
    sleep 0.5
    if [ "$(grep -c '\[ERROR\]' "$work/client.out" || true)" -gt "$errors" ]; then
      sleep 5 # the statements behind the failed one fail, too
      grep -A1 '\[ERROR\]' "$work/client.out" | tail -1 | cut -c1-300 >&2
      return 1
    fi
    eval "$2" && return 0
  done
  return 1
}
running() {
  curl -s localhost:8081/jobs/overview | python3 -c '
import json, sys
for job in json.load(sys.stdin)["jobs"]:
    if job["state"] == "RUNNING": print(job["jid"], job["name"])' > "$work/jobs"
  [ "$(wc -l < "$work/jobs")" -eq "$1" ]
}

: > "$work/all.tsv"
for query in $queries; do
  plan=$plans/$query.json; rm -f "$plan"
  ask "RESET;
$(grep '^SET' "sql/$query.sql" || true)
COMPILE PLAN 'file://$plan' FOR
$(grep -v '^SET' "sql/$query.sql");" "[ -s '$plan' ]" || { echo "$release: $query is not compiled" >&2; continue; }

  # Three jobs: no TTL at all; the plan's TTL only; the job's TTL only.
  sed 's/"ttl" : "0 ms"/"ttl" : "1 h"/' "$plan" > "$work/plan-ttl.json"
  ask "SET 'pipeline.name' = 'none';
EXECUTE PLAN 'file://$plan';
SET 'pipeline.name' = 'plan';
EXECUTE PLAN 'file://$work/plan-ttl.json';
SET 'pipeline.name' = 'job';
SET 'table.exec.state.ttl' = '1 h';
EXECUTE PLAN 'file://$plan';" "running 3" || { echo "$release: $query is not executed" >&2; rm -f "$plan"; continue; }
  sleep "${SETTLE:-8}"
  while read -r job ttl; do
    trigger=$(curl -s -X POST "localhost:8081/jobs/$job/savepoints" -H 'Content-Type: application/json' \
      -d "{\"target-directory\":\"file://$work/savepoints\",\"cancel-job\":true}" | python3 -c 'import json, sys; print(json.load(sys.stdin)["request-id"])')
    for i in $(seq 60); do
      sleep 0.5
      curl -s "localhost:8081/jobs/$job/savepoints/$trigger" > "$work/status"
      grep -q '"COMPLETED"' "$work/status" && break
    done
    location=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["operation"].get("location", "").removeprefix("file:"))' "$work/status")
    if [ -z "$location" ]; then
      echo "$release: no savepoint of $query ($ttl): $(cut -c1-300 "$work/status")" >&2
      curl -s -X PATCH "localhost:8081/jobs/$job" > /dev/null
      continue
    fi
    java -XX:TieredStopAtLevel=1 -cp "$work:$class_path" StateLister "$query	$ttl" "$location" "$plan" > "$work/listed" 2> "$work/lister.err" || tail -3 "$work/lister.err" >&2
    # The states of connectors are not the planner's.
    grep -v -e '_source	operator' -e '_sink	operator' "$work/listed" >> "$work/all.tsv" || echo "$release: $query ($ttl) holds nothing" >&2
    rm -rf "$location"
  done < "$work/jobs"
done
# What was listed before for other queries stays.
[ ! -f "$release.tsv" ] || awk -F'\t' -v ran=" $(echo $queries) " 'NR > 1 && !index(ran, " " $1 " ")' "$release.tsv" >> "$work/all.tsv"
{ echo "query	ttl set in	operator	store	state	kind	state has ttl"; LC_ALL=C sort "$work/all.tsv"; } > "$work/sorted.tsv"
mv "$work/sorted.tsv" "$release.tsv"
wc -l "$release.tsv"
