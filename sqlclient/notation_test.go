package sqlclient

import (
	"os"
	"strings"
	"testing"

	"github.com/seed-69e58989/flinkread/datatype"
)

func TestNotation(t *testing.T) {
	for name, want := range map[string]datatype.Notation{
		"1.13.6/shapes/types.out": datatype.AnyNotation, "1.14.6/shapes/types.out": datatype.AnyNotation,
		"1.15.4/shapes/types.out": datatype.CastNotation, "1.20.5/shapes/types.out": datatype.CastNotation, "2.3.0/shapes/types_batch.out": datatype.CastNotation,
	} {
		data, err := os.ReadFile("../testdata/transcripts/" + name)
		if err != nil {
			t.Fatal(err)
		}
		transcript, _ := Read(strings.NewReader(string(data)), name)
		if got := transcript.Results()[0].Notation(); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := (&Result{Sink: &PrintSink{}}).Notation(); got != datatype.JavaNotation {
		t.Errorf("a print sink: %v", got)
	}
}
