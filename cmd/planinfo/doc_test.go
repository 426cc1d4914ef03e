package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/compiledplan"
	"github.com/seed-69e58989/flinkread/internal/command/commandtest"
)

// The commands of the package's documentation print what it says.
func TestDocumentation(t *testing.T) {
	commandtest.Documentation(t, "planinfo", run, "../../testdata/plans/2.3.0", 3)
}

// docs/planinfo-json.md lists the members that are written, in their order, and the words that some of them have.
func TestMembers(t *testing.T) {
	page, err := os.ReadFile("../../docs/planinfo-json.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := make(map[string][]string) // by section, the members
	meaning := make(map[string]string)  // by section.member
	section := ""
	row := regexp.MustCompile("^\\| `(\\w+)` \\| (.*) \\|$")
	for line := range strings.Lines(string(page)) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "## "); ok {
			section = name
		} else if m := row.FindStringSubmatch(line); m != nil {
			listed[section] = append(listed[section], m[1])
			meaning[section+"."+m[1]] = m[2]
		}
	}

	written := make(map[string][]string)
	take := func(section string, object []byte) {
		if names := members(t, object); len(names) > len(written[section]) { // options are not of every node
			written[section] = names
		}
	}
	var stdout, stderr bytes.Buffer
	plans := []string{"../../testdata/plans/2.3.0/lab-interval.json", "../../testdata/plans/2.3.0/lab-regular.json"}
	if code := run(append(plans, "-o", "ndjson", "--show-options"), nil, &stdout, &stderr); code != 0 {
		t.Fatal(code, stderr.String())
	}
	for line := range bytes.Lines(stdout.Bytes()) {
		var object struct {
			Kind  string
			State []json.RawMessage
		}
		if err := json.Unmarshal(line, &object); err != nil {
			t.Fatal(err)
		}
		take(object.Kind, line)
		for _, state := range object.State {
			take("state", state)
			var inner struct{ Until json.RawMessage }
			if err := json.Unmarshal(state, &inner); err != nil {
				t.Fatal(err)
			}
			take("until", inner.Until)
		}
	}
	for _, kind := range []string{"plan", "node", "finding"} {
		if written[kind] = slices.DeleteFunc(written[kind], func(name string) bool { return name == "file" }); len(written[kind]) == 0 {
			t.Errorf("no %s was written", kind)
		}
	}
	if diff := cmp.Diff(written, listed); diff != "" {
		t.Errorf("written, but not listed (-), or listed, but not written (+):\n%s", diff)
	}

	quoted := regexp.MustCompile("`[^`]+`")
	for member, words := range map[string][]string{
		"state.role":         wordsOf[compiledplan.Role]()[1:], // unknown is null
		"state.ttl_from":     wordsOf[compiledplan.TTLFrom](),
		"state.source":       {compiledplan.SourceUnknown.String(), compiledplan.Recorded.String(), compiledplan.Implied.String(), compiledplan.NotRecorded.String()},
		"node.output_source": {compiledplan.Recorded.String(), compiledplan.Inferred.String()},
		"until.kind":         wordsOf[compiledplan.UntilKind](),
		"finding.severity":   wordsOf[compiledplan.Severity]()[1:], // none is none
	} {
		var told []string
		for _, word := range quoted.FindAllString(meaning[member], -1) {
			if word = strings.Trim(word, "`"); word != "table.exec.state.ttl" && word != "ttl_from" {
				told = append(told, word)
			}
		}
		slices.Sort(told)
		slices.Sort(words)
		if diff := cmp.Diff(words, told); diff != "" {
			t.Errorf("words of %s (-), as the page has them (+):\n%s", member, diff)
		}
	}
}

// The questions of docs/planinfo-json.md name members that it lists, and, where jq is
// installed, are answered as it says.
func TestQuestions(t *testing.T) {
	data, err := os.ReadFile("../../docs/planinfo-json.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	questions := regexp.MustCompile("(?s)```sh\nplaninfo (\\S+) -o ndjson \\| jq -c '([^\n]*)'\n```\n\n```json\n(.*?)```").FindAllStringSubmatch(page, -1)
	if n := strings.Count(page, "```sh\n"); n == 0 || len(questions) != n {
		t.Fatalf("%d questions, of which %d can be asked", n, len(questions))
	}
	jq, err := exec.LookPath("jq")
	if err != nil {
		t.Log("jq is not installed: only the names of members are compared")
	}
	member := regexp.MustCompile(`\.\w+|\w+[,}]`) // of an input, or of an output by the same name
	for _, question := range questions {
		plan, filter, answer := question[1], question[2], question[3]
		for _, name := range member.FindAllString(filter, -1) {
			if name = strings.Trim(name, ".,}"); !strings.Contains(page, "| `"+name+"` | ") {
				t.Errorf("%s: no member %s", filter, name)
			}
		}
		var stdout, stderr bytes.Buffer
		if code := run([]string{"../../" + plan, "-o", "ndjson"}, nil, &stdout, &stderr); code != 0 {
			t.Fatal(code, stderr.String())
		}
		if jq == "" {
			continue
		}
		cmd := exec.Command(jq, "-c", filter)
		cmd.Stdin = &stdout
		got, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, got)
		}
		if diff := cmp.Diff(answer, string(got)); diff != "" {
			t.Errorf("%s: the page's answer (-), and jq's (+):\n%s", filter, diff)
		}
	}
}

// members gives the names of an object's members in their order.
func members(t *testing.T, object []byte) (names []string) {
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name.(string))
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// wordsOf gives the words of all values of a type, whose String is a number for what is none.
func wordsOf[T interface {
	~uint8
	String() string
}]() (words []string) {
	for v := T(0); ; v++ {
		word := v.String()
		if strings.Trim(word, "0123456789") == "" {
			return words
		}
		words = append(words, word)
	}
}
