package compiledplan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

// largePlan makes one plan of many copies of a lab plan, with other ids, of about so many bytes.
func largePlan(tb testing.TB, size int) []byte {
	data, err := os.ReadFile("../testdata/plans/2.3.0/lab-temporal.json")
	if err != nil {
		tb.Fatal(err)
	}
	var plan struct {
		FlinkVersion string
		Nodes        []map[string]json.RawMessage
		Edges        []map[string]json.RawMessage
	}
	if err := json.Unmarshal(data, &plan); err != nil {
		tb.Fatal(err)
	}
	var nodes, edges bytes.Buffer
	number := func(raw json.RawMessage, offset int) json.RawMessage {
		var n int
		if err := json.Unmarshal(raw, &n); err != nil {
			tb.Fatal(err)
		}
		return json.RawMessage(fmt.Sprint(n + offset))
	}
	write := func(to *bytes.Buffer, object map[string]json.RawMessage) {
		if to.Len() > 0 {
			to.WriteString(", ")
		}
		text, err := json.MarshalIndent(object, "  ", "  ")
		if err != nil {
			tb.Fatal(err)
		}
		to.Write(text)
	}
	for offset := 0; nodes.Len()+edges.Len() < size; offset += 1000 {
		for _, n := range plan.Nodes {
			copied := make(map[string]json.RawMessage)
			for key, raw := range n {
				copied[key] = raw
			}
			copied["id"] = number(n["id"], offset)
			write(&nodes, copied)
		}
		for _, e := range plan.Edges {
			write(&edges, map[string]json.RawMessage{"source": number(e["source"], offset), "target": number(e["target"], offset), "shuffle": e["shuffle"], "shuffleMode": e["shuffleMode"]})
		}
	}
	return []byte(fmt.Sprintf("{\n  \"flinkVersion\" : %q,\n  \"nodes\" : [ %s ],\n  \"edges\" : [ %s ]\n}\n", plan.FlinkVersion, nodes.Bytes(), edges.Bytes()))
}

func benchmarkState(b *testing.B, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	states := 0
	for b.Loop() {
		plan, err := Parse(data)
		if err != nil {
			b.Fatal(err)
		}
		for n := range plan.Nodes() {
			s, _ := n.State()
			states += len(s)
		}
	}
	if states == 0 {
		b.Fatal("no state")
	}
}

func BenchmarkLabPlan(b *testing.B) {
	data, err := os.ReadFile("../testdata/plans/2.3.0/lab-temporal.json")
	if err != nil {
		b.Fatal(err)
	}
	benchmarkState(b, data)
}

func BenchmarkPlan1MB(b *testing.B)  { benchmarkState(b, largePlan(b, 1_100_000)) }
func BenchmarkPlan55MB(b *testing.B) { benchmarkState(b, largePlan(b, 55_000_000)) }

func BenchmarkValidate1MB(b *testing.B) {
	data := largePlan(b, 1_100_000)
	plan, err := Parse(data)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if problems := plan.Validate(); len(problems) > 0 {
			b.Fatal(problems[0])
		}
	}
}

func BenchmarkModes1MB(b *testing.B) {
	data := largePlan(b, 1_100_000)
	plan, err := Parse(data)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		inferModes(plan)
	}
}
