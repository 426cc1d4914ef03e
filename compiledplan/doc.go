// Package compiledplan reads the compiled plans of Flink SQL, the JSON that COMPILE PLAN and CompiledPlan.asJsonString
// write, of Flink 1.15 to 2.3: which operators a job has, how they join, what each remembers and until when, which changes
// it puts out and which it makes, and what Flink would object to.
//
//	plan, err := compiledplan.Parse(data)
//	...
//	for n := range plan.Nodes() {
//		states, known := n.State()
//		...
//	}
//
// # What is known, and how
//
// A plan records little of what it will do. This package therefore says of each fact where it comes from: the plan itself
// (Recorded), the operator, which is always like that (Implied), the planner's rules (Inferred), or nothing, because the
// plan is older than the release that first recorded it (NotRecorded) or says too little (SourceUnknown). What is not
// known is never filled in. A type of operator that this package does not know survives with its text, and nothing is
// claimed of it.
//
// # Reading and checking
//
// [Parse] takes whatever can be read as a plan, so that a damaged or newer one can at least be looked at; [Plan.Validate]
// tells what Flink itself would object to, with places; [Plan.Findings] tells what Flink would take but its owner may not
// expect. What is no plan at all is a *[ParseError], which says what it seems to be instead.
//
// # Memory and safety
//
// Parse copies its input once; the Plan and everything that comes from it share that copy, and are safe for concurrent
// use. Inputs are read up to 64 MiB, 1000 levels of nesting and 65536 nodes; no input makes the package panic. Nothing
// that prints, neither errors nor String methods, ever holds the value of a table's option, where passwords are; only
// [Node.Options] and [Node.Raw] do.
//
// Reading is all that this package does: it writes no plans, and does not run or explain queries.
package compiledplan
