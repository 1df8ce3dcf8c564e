package provider_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// description is that of a type or an attribute.
type description struct {
	text     string
	readOnly bool
}

func (w *schemaWalk) describe(at string, of reflect.Value) {
	flag := func(name string) bool { return of.FieldByName(name).IsValid() && of.FieldByName(name).Bool() }
	for _, name := range []string{"MarkdownDescription", "Description"} { // identities have no Markdown
		if text := of.FieldByName(name); text.IsValid() {
			w.described[at] = description{text.String(), flag("Computed") && !flag("Optional")}
			return
		}
	}
}

// neverNull are attributes that are only read, and always there.
var neverNull = regexp.MustCompile(`^mediagen_(\w+\.id|dataset\.status|generation_group\.(complete|\w+_count|generations))$`)

// Each description is a sentence or more that stands alone, and one of what is only read
// says when there is nothing. Notes to oneself, as "With results", were no help to anybody.
func TestDescribed(t *testing.T) {
	t.Parallel()
	for at, of := range walk(t).described {
		for line := range strings.SplitSeq(of.text, "\n") {
			words := len(strings.Fields(strings.TrimLeft(line, " -")))
			check.True(t, at+" has a sentence of five words", words >= 5 && strings.HasSuffix(line, ".") || line == "" && of.text != "", line)
		}
		says := regexp.MustCompile(`\b([Nn]ull|[Ee]mpty)\b`).MatchString(of.text)
		check.True(t, at+" says when there is none", says || !of.readOnly || neverNull.MatchString(at), of.text)
	}
}
