package compiledplan

import (
	"regexp"
	"strings"
)

// A Format is what an input that is no compiled plan seems to be. It is a guess from a few telling words, meant for the
// message to a person, and never for a decision. The zero Format is none.
type Format uint8

const (
	FormatUnknown     Format = iota
	FormatTranscript         // what the SQL client printed, or a print sink
	FormatExplain            // the text of EXPLAIN
	FormatExplainJSON        // EXPLAIN JSON_EXECUTION_PLAN, or StreamExecutionEnvironment.getExecutionPlan
	FormatJobGraph           // the job of a web interface: REST /jobs/:id or /jobs/:id/plan
	FormatSQL                // statements
	FormatSmile              // a plan in Smile, the binary JSON that CompiledPlan.asSmileBytes writes from 2.1 on
	FormatCompressed         // gzip or zstd
	FormatReport             // what planinfo prints
)

// String gives the format in words, such as "a transcript of the SQL client".
func (f Format) String() string {
	switch f {
	case FormatTranscript:
		return "a transcript of the SQL client"
	case FormatExplain:
		return "the text of EXPLAIN"
	case FormatExplainJSON:
		return "the JSON of EXPLAIN JSON_EXECUTION_PLAN"
	case FormatJobGraph:
		return "a job graph of Flink's REST interface"
	case FormatSQL:
		return "SQL statements"
	case FormatSmile:
		return "a compiled plan in Smile (binary JSON); CompiledPlan.asJsonString gives the readable one"
	case FormatCompressed:
		return "compressed"
	case FormatReport:
		return "a report of planinfo"
	}
	return "unknown"
}

// binaryFormat recognises an input by its first bytes.
func binaryFormat(text string) Format {
	switch {
	case strings.HasPrefix(text, ":)\n"):
		return FormatSmile
	case strings.HasPrefix(text, "\x1f\x8b"), strings.HasPrefix(text, "\x28\xb5\x2f\xfd"):
		return FormatCompressed
	}
	return FormatUnknown
}

var (
	transcriptWords = regexp.MustCompile(`(?m)Flink SQL>|^\+--[-+]*\+\r?$|\[(INFO|ERROR)\] |Received a total of \d|\d rows? in set|^([^\n"]*> )?[+-][IUD]\[`)
	explainWords    = regexp.MustCompile(`(?m)^\s*(== (Abstract Syntax Tree|Optimized (Physical|Execution) Plan) ==)`)
	statementWords  = regexp.MustCompile(`(?i)^\s*(--|/\*|(select|insert|create|set|compile|explain|execute|use|with)\s)`)
)

// textFormat recognises a text that is no JSON by words in its beginning.
func textFormat(text string) Format {
	const enough = 1 << 16
	if len(text) > enough {
		text = text[:enough]
	}
	switch {
	case transcriptWords.MatchString(text):
		return FormatTranscript
	case explainWords.MatchString(text):
		return FormatExplain
	case statementWords.MatchString(text):
		return FormatSQL
	}
	return FormatUnknown
}

// jsonFormat recognises a JSON value that is no plan by its keys.
func jsonFormat(root value) Format {
	switch {
	case root.get("jid").exists(), root.get("plan").get("jid").exists(), root.get("vertices").exists():
		return FormatJobGraph
	case root.get("kind").raw == `"plan"`:
		return FormatReport
	}
	for node := range root.get("nodes").elements() {
		if node.get("pact").exists() {
			return FormatExplainJSON
		}
		break
	}
	return FormatUnknown
}
