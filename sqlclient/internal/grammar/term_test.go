package grammar

import (
	"fmt"
	"strings"
)

// term writes what was parsed as text that compares.
func term(tr *Transcript) string {
	terms := pieces(tr.Before)
	for _, st := range tr.Statements {
		sql := ""
		if st.Echo() != "" {
			sql = fmt.Sprintf("%q", st.Echo())
		}
		terms = append(terms, "statement("+sql+")")
		terms = append(terms, pieces(st.Pieces)...)
	}
	return strings.Join(terms, " ")
}

func pieces(ps []*Piece) []string {
	var terms []string
	for _, p := range ps {
		switch {
		case p.Table != nil:
			terms = append(terms, tableTerm(p.Table))
		case p.Empty != nil:
			terms = append(terms, "empty("+p.Empty.Time+")")
		case p.Message != nil:
			terms = append(terms, messageTerm(p.Message))
		case p.Job != nil:
			terms = append(terms, "job")
		case p.Footer != nil:
			terms = append(terms, footerTerm(p.Footer))
		case p.Print != nil:
			terms = append(terms, fmt.Sprintf("print(%q %s %q)", p.Print.Sink(), p.Print.Kind(), p.Print.Fields))
		case p.Stop != "":
			terms = append(terms, "stop")
		default:
			terms = append(terms, fmt.Sprintf("line(%q)", p.Line))
		}
	}
	return terms
}

func tableTerm(t *Table) string {
	terms := []string{cellTerms(t.Names)}
	for _, item := range t.Items {
		switch {
		case item.Row != nil:
			terms = append(terms, "row("+cellTerms(item.Row)+")")
		case item.Job != nil:
			terms = append(terms, "job")
		default:
			terms = append(terms, fmt.Sprintf("line(%q)", item.Line))
		}
	}
	if t.Bottom != "" {
		terms = append(terms, "bottom")
	}
	if t.Footer != nil {
		terms = append(terms, footerTerm(t.Footer))
	}
	return "table(" + strings.Join(terms, " ") + ")"
}

func cellTerms(r *Row) string {
	var terms []string
	for _, c := range r.Cells {
		terms = append(terms, fmt.Sprintf("%q", c.Text))
	}
	return strings.Join(terms, " ")
}

func footerTerm(f *Footer) string {
	name := "rows"
	if word, _, _ := strings.Cut(f.Words, " "); word == "Received" {
		name = "received"
	} else if word == "Query" {
		name = "terminated"
	}
	return name + "(" + strings.TrimSpace(f.Rows+f.InSet+" "+f.Time) + ")"
}

func messageTerm(m *Message) string {
	terms := []string{m.Name()}
	if m.Class != "" {
		terms = append(terms, m.Class)
	}
	terms = append(terms, fmt.Sprintf("%q", m.Text()))
	for _, p := range m.Parts {
		if p.Cause != nil {
			terms = append(terms, fmt.Sprintf("cause(%s %q)", p.Cause.Class, p.Cause.Text))
		}
	}
	return "message(" + strings.Join(terms, " ") + ")"
}
