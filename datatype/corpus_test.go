package datatype

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// corpusRoots are the repository's own real outputs, and a larger collection that lies beside a checkout or does not.
var corpusRoots = []string{"../testdata", "../../shared/corpus", "../../shared/plans"}

// corpusFiles calls f for each file with this extension under a root; false if the root is missing.
func corpusFiles(t testing.TB, root, ext string, f func(path string, data []byte)) bool {
	t.Helper()
	if _, err := os.Stat(root); err != nil {
		return false
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ext {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil {
			f(path, data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return true
}

// planTypes calls f for each type value in a plan: under the keys that hold nothing else, and the type of each expression.
func planTypes(v any, f func(any)) {
	switch v := v.(type) {
	case []any:
		for _, inner := range v {
			planTypes(inner, f)
		}
	case map[string]any:
		_, isNode := v["inputProperties"]
		_, isExpression := v["kind"]
		for key, inner := range v {
			if inner == nil { // rowTypeAfterCalc of a delta join without a calc
				continue
			}
			switch key {
			case "outputType", "dataType", "logicalType", "producedType", "consumedType", "rowType", "localAggInputRowType",
				"partialLocalAggInputRowType", "aggInputRowType", "timeAttributeType", "rowTypeAfterCalc", "externalDataType":
				f(inner)
				continue
			case "type":
				if isExpression && !isNode {
					f(inner)
					continue
				}
			}
			planTypes(inner, f)
		}
	}
}

func TestPlanCorpus(t *testing.T) {
	for _, root := range corpusRoots {
		t.Run(root, func(t *testing.T) {
			plans, types, canonical := 0, 0, 0
			if !corpusFiles(t, root, ".json", func(path string, data []byte) {
				var plan any
				if json.Unmarshal(data, &plan) != nil {
					return
				}
				if m, ok := plan.(map[string]any); !ok || m["nodes"] == nil {
					return
				}
				plans++
				planTypes(plan, func(v any) {
					types++
					raw, err := json.Marshal(v)
					if err != nil {
						t.Fatal(err)
					}
					typ, err := FromJSON(raw)
					if err != nil {
						t.Errorf("%s: %v", path, err)
						return
					}
					if typ.Kind() == Unknown {
						t.Errorf("%s: unknown type %s", path, raw)
					}
					if text, ok := v.(string); ok {
						if typ.String() != text || typ.Raw() != text {
							t.Errorf("%s: %s came back as %s", path, text, typ)
						}
						fast, ok := parseCanonical(text)
						if ok {
							canonical++
						}
						if slow, err := parseGrammar(text); err != nil || ok && !reflect.DeepEqual(fast, slow) {
							t.Errorf("%s: the grammar reads %s as %v, %v", path, text, slow, err)
						}
						return
					}
					if typ.Raw() != string(raw) && !strings.Contains(string(raw), "logicalType") {
						t.Errorf("%s: %s came back as %s", path, raw, typ.Raw())
					}
					if again, err := Parse(typ.String()); err != nil || again.String() != typ.String() {
						t.Errorf("%s: %s cannot be read back: %v", path, typ, err)
					}
				})
			}) || plans == 0 {
				t.Skip("no plans there")
			}
			t.Logf("%d plans, %d types, %d of them canonical", plans, types, canonical)
			if types < 10*plans || canonical < types/2 {
				t.Errorf("%d types, %d canonical in %d plans: the test does not see them", types, canonical, plans)
			}
		})
	}
}

// TestDescribeCorpus reads the type column of every DESCRIBE in the transcripts.
func TestDescribeCorpus(t *testing.T) {
	for _, root := range corpusRoots {
		t.Run(root, func(t *testing.T) {
			seen := map[Kind]int{}
			corpusFiles(t, root, ".out", func(path string, data []byte) {
				inDescribe := false
				for line := range strings.Lines(string(data)) {
					cells := strings.Split(line, " | ")
					switch {
					case len(cells) < 6:
						inDescribe = inDescribe && strings.HasPrefix(line, "+-")
					case strings.TrimSpace(cells[1]) == "type" && strings.TrimSpace(cells[2]) == "null":
						inDescribe = true
					case inDescribe:
						typ, err := Parse(cells[1])
						if err != nil {
							t.Errorf("%s: %v", path, err)
							continue
						}
						seen[typ.Kind()]++
						if name := strings.TrimSpace(strings.TrimPrefix(cells[0], "|")); (name == "ts" || name == "pt") && path[len(path)-8:] == "show.out" && !typ.IsTimeAttribute() {
							t.Errorf("%s: %s is no time attribute in %s", path, name, typ)
						}
					}
				}
			})
			if len(seen) == 0 {
				t.Skip("no DESCRIBE there")
			}
			if seen[Bigint] == 0 || seen[Map] == 0 || seen[TimestampWithLocalTimeZone] == 0 {
				t.Errorf("the test does not see them: %v", seen)
			}
		})
	}
}
