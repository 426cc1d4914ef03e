// Planinfo reads compiled plans of Flink SQL, of Flink 1.15 to 2.3, and tells what the job will remember, until when, and
// which operators amend what they put out.
//
// Usage:
//
//	planinfo [flags] [FILE...]
//
// It reads the named files, or standard input without any; "-" is standard input, too. Files compressed with gzip or zstd
// are read as they are. Flags may stand before or behind the files. The plans of the examples are in
// testdata/plans/2.3.0, as Flink 2.3.0 wrote them.
//
// # Operators and their state
//
// Tables list the operators that hold state, and joins that hold none: what feeds them (the inputs of a join parted by a
// stroke) and whether they introduce updates or deletes; what the joins join by; and what each operator keeps:
//
//	$ planinfo lab-temporal.json
//	lab-temporal.json: Flink 2.3, 11 nodes, 10 edges, writes to temporal_sink
//
//	 id | type                        | class         | tables         | amends
//	----+-----------------------------+---------------+----------------+--------
//	 27 | stream-exec-deduplicate_1   | deduplicate   | rates          | yes
//	 29 | stream-exec-temporal-join_1 | temporal-join | orders / rates | no
//
//	 id | join  | keys: left = right
//	----+-------+---------------------
//	 29 | INNER | currency = currency
//
//	 id | state            | holds          | TTL       | kept until
//	----+------------------+----------------+-----------+-----------------------
//	 27 | deduplicateState | rows           | 0 ms      | for ever
//	 29 | left             | left rows      | the job's | watermark >= row
//	 29 | right            | right versions | the job's | newer version
//	 29 | next-index       | left index     | the job's | job's TTL, if set
//	 29 | timer            | timer          | the job's | watermark >= its time
//
//	info: node 27 (deduplicate): It keeps deduplicateState for ever: no time-to-live is set, and no
//	  watermark ends it. [state-forever]
//
// A time-to-live (TTL) that the plan records counts whatever the job says; "0 ms" is for ever. "The job's" is
// table.exec.state.ttl when the job runs, which no plan records. Plans before 1.18 record none ("not recorded"), and then
// the job's counts as well; by default it is not set, and entries stay for ever. "None" means that no time-to-live governs.
// "Watermark > row + 2 h" means that an entry stays until the watermark passes the time of its row plus two hours, and
// "watermark >= row" until it reaches the time of the row; "its time" is the one that an entry itself holds; "clock" is the
// same in processing time. An index is what counts or finds rows, such as sort keys; versions are the rows of a versioned
// table. Left rows are those of the first input; Flink crosses the names of an interval join's timers, so that
// IntervalJoinLeftTimerState is the one of the right rows. docs/operator-state.md lists what every operator keeps.
//
// Keys are the columns that must be equal; a join may have further conditions. For an interval join there stands, too,
// between which bounds, both included, the time of the left row minus that of the right one must lie: "-2 h to 0 ms" joins
// a right row that comes up to two hours after the left one, and none before it.
//
// # Findings
//
// What is worth knowing before a plan runs comes behind the tables. Findings do not change the exit code. In brackets, and in
// JSON, stands what kind it is:
//
//	time-condition      a regular join that was meant to be an interval join, and keeps all rows
//	impossible-bounds   an interval join whose bounds no pair of rows can meet
//	join-without-keys   a regular join that compares every row with every other
//	state-forever       rows, or an accumulator for each key, that no time ever removes
//	ttl-ignored         a sink whose recorded time-to-live Flink ignores
//	normalize-versions  versions of a temporal join that get lost (FLINK-29849)
//	streaming-sort      a sort of a stream by anything but time
//	null-type           an operator that no plan may hold (FLINK-33179)
//	unknown-type        an operator that is not known here
//
// This is a join that was meant to be another one:
//
//	$ planinfo interval-no-watermark.json
//	interval-no-watermark.json: Flink 2.3, 7 nodes, 6 edges, writes to interval_sink
//
//	 id | type               | class        | tables             | amends
//	----+--------------------+--------------+--------------------+--------
//	  5 | stream-exec-join_1 | regular-join | orders / shipments | no
//
//	 id | join  | keys: left = right
//	----+-------+---------------------
//	  5 | INNER | order_id = order_id
//
//	 id | state      | holds      | TTL  | kept until
//	----+------------+------------+------+------------
//	  5 | leftState  | left rows  | 0 ms | for ever
//	  5 | rightState | right rows | 0 ms | for ever
//
//	warning: node 5 (regular-join): The condition bounds a timestamp of one input by one of the other,
//	  but neither is a time attribute here: this is a regular join, which keeps the rows of both inputs
//	  for ever, and no interval join. Are watermarks missing, or does an input update? [time-condition]
//
// # JSON
//
// -o ndjson writes an object a line: the plan, all of its nodes in order, its findings. -o json writes the same objects as
// one array.
//
//	$ planinfo distinct-aggregate.json -o ndjson
//	{"kind":"plan","flink_version":"2.3","nodes":7,"edges":6,"sinks":[266]}
//	{"kind":"node","id":260,"type":"stream-exec-table-source-scan_2","class":"table-source-scan","join_types":null,"inputs":[],"input_tables":[],"left_keys":null,"right_keys":null,"left_minus_right_ms":null,"sinks":[266],"state":[],"output":["+I"],"output_source":"inferred","amends":false}
//	{"kind":"node","id":261,"type":"stream-exec-calc_1","class":"calc","join_types":null,"inputs":[260],"input_tables":[["o"]],"left_keys":null,"right_keys":null,"left_minus_right_ms":null,"sinks":[266],"state":[],"output":["+I"],"output_source":"inferred","amends":false}
//	{"kind":"node","id":262,"type":"stream-exec-watermark-assigner_1","class":"watermark-assigner","join_types":null,"inputs":[261],"input_tables":[["o"]],"left_keys":null,"right_keys":null,"left_minus_right_ms":null,"sinks":[266],"state":[],"output":["+I"],"output_source":"inferred","amends":false}
//	{"kind":"node","id":263,"type":"stream-exec-calc_1","class":"calc","join_types":null,"inputs":[262],"input_tables":[["o"]],"left_keys":null,"right_keys":null,"left_minus_right_ms":null,"sinks":[266],"state":[],"output":["+I"],"output_source":"inferred","amends":false}
//	{"kind":"node","id":264,"type":"stream-exec-exchange_1","class":"exchange","join_types":null,"inputs":[263],"input_tables":[["o"]],"left_keys":null,"right_keys":null,"left_minus_right_ms":null,"sinks":[266],"state":[],"output":["+I"],"output_source":"inferred","amends":false}
//	{"kind":"node","id":265,"type":"stream-exec-group-aggregate_1","class":"group-aggregate","join_types":null,"inputs":[264],"input_tables":[["o"]],"left_keys":null,"right_keys":null,"left_minus_right_ms":null,"sinks":[266],"state":[{"input":0,"index":0,"name":"groupAggregateState","runtime_name":"accState","role":"accumulator","ttl":"0 ms","ttl_from":"plan","source":"recorded","until":{"kind":"forever","offset_ms":null}},{"input":0,"index":0,"name":"groupAggregateState","runtime_name":"distinctAcc_0","role":"accumulator","ttl":"0 ms","ttl_from":"plan","source":"recorded","until":{"kind":"forever","offset_ms":null}}],"output":["+I","+U"],"output_source":"recorded","amends":true}
//	{"kind":"node","id":266,"type":"stream-exec-sink_2","class":"sink","join_types":null,"inputs":[265],"input_tables":[["o"]],"left_keys":null,"right_keys":null,"left_minus_right_ms":null,"sinks":[266],"state":[],"output":["+I","+U"],"output_source":"recorded","amends":false}
//	{"kind":"finding","code":"state-forever","severity":"info","node":265,"message":"It keeps groupAggregateState for ever: no time-to-live is set, and no watermark ends it."}
//
// Members are null where they do not apply or are not known; "state" is [] for an operator that keeps nothing.
// docs/planinfo-json.md tells of each member what it is, and in which unit. If there are several files, each object begins
// with its "file".
//
// # Options
//
// The options of tables hold passwords, so they are printed only with --show-options, and what looks like a secret is then
// printed as ***.
//
// # Exit codes
//
// 0: all is well. 1: a file is no compiled plan, or Flink would refuse the plan; what it would object to is on standard
// error as file:line:column: message, columns counted in bytes from 1, and the plan is told of all the same. What Flink takes
// in its own way, such as bytes behind the plan, is there, too, but leaves 0; with --strict it is 1. 2: the command
// line is wrong. 3: something cannot be read or written. The worst of several counts, and one unreadable file does not
// stop the others.
package main
