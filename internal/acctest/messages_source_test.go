package acctest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// wantAll checks that each summary in the source was heard, except those that
// take more than a table to provoke.
func (a *audience) wantAll(t *testing.T) {
	t.Helper()
	written := summaries(t)
	check.True(t, "the summaries of the source", len(written) >= 80, len(written))
	for summary, position := range written {
		pattern := patternOf(summary)
		found := false
		for heard := range a.summaries {
			found = found || pattern.MatchString(heard)
		}
		if why, elsewhere := untold[summary]; found && elsewhere {
			t.Errorf("%q was heard, although %s", summary, why)
		} else if !found && !elsewhere {
			t.Errorf("%s: nothing has provoked %q", position, summary)
		}
	}
	for summary := range untold {
		_, is := written[summary]
		check.True(t, "the source has the summary", is, summary)
	}
}

// summaries finds the summaries in the source with their positions; a * stands
// for what is not literal.
func summaries(t *testing.T) map[string]token.Position {
	t.Helper()
	files, found := token.NewFileSet(), map[string]token.Position{}
	for _, room := range []string{"framework", "provider", "service"} {
		err := filepath.WalkDir(filepath.Join("..", room), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(node ast.Node) bool {
				if summary := summaryIn(node); strings.Trim(summary, "* ") != "" {
					found[summary] = files.Position(node.Pos())
				}
				return true
			})
			return nil
		})
		check.Must(t, err)
	}
	return found
}

// patternOf matches what a summary in the source may become.
func patternOf(summary string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(summary), `\*`, ".*") + "$")
}

// argument is which argument of a function is a summary.
var argument = map[string]int{
	"AddError": 0, "AddWarning": 0, "NewErrorDiagnostic": 0, "NewWarningDiagnostic": 0, "fail": 0,
	"AddAttributeError": 1, "AddAttributeWarning": 1, "add": 1, "NewAttributeErrorDiagnostic": 1, "NewAttributeWarningDiagnostic": 1,
}

func summaryIn(node ast.Node) string {
	switch node := node.(type) {
	case *ast.CallExpr:
		name := ""
		switch function := node.Fun.(type) {
		case *ast.SelectorExpr:
			name = function.Sel.Name
		case *ast.Ident:
			name = function.Name
		}
		if i, is := argument[name]; is && i < len(node.Args) {
			return literal(node.Args[i])
		}
	case *ast.CompositeLit:
		fields := map[string]string{}
		for _, element := range node.Elts {
			if pair, is := element.(*ast.KeyValueExpr); is {
				if key, is := pair.Key.(*ast.Ident); is {
					fields[key.Name] = literal(pair.Value)
				}
			}
		}
		if fields["Verb"] != "" && fields["Noun"] != "" {
			return "Unable to " + fields["Verb"] + " " + fields["Noun"]
		}
		return fields["headline"]
	}
	return ""
}

// literal returns a text with a * for each part that is not literal.
func literal(expression ast.Expr) string {
	switch expression := expression.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(expression.Value)
		return text
	case *ast.BinaryExpr:
		return literal(expression.X) + literal(expression.Y)
	}
	return "*"
}

const (
	ofBug    = "it takes a bug in the provider or the CLI"
	ofCause  = "it is told under the name of its cause"
	ofDomain = "it takes a particular reply, which the domain's own tests give"
)

// untold are the summaries that are not provoked here, and why.
var untold = map[string]string{
	"Unable to Configure Provider":                ofBug,
	"Unable to Read Private State":                ofBug,
	"Unable to Plan Purchase":                     ofCause,
	"Address Too Long for the State":              ofDomain,
	"Approval of Dataset Found Without an Answer": ofDomain,
	"Approvals of Images Left":                    ofDomain,
	"Approved Image Not Shown":                    ofDomain,
	"Asset List Incomplete":                       ofDomain,
	"Character List Incomplete":                   ofDomain,
	"Character Not Listed":                        ofDomain,
	"Contact Sheet Not Written":                   ofDomain,
	"Different Prompts Were Given One Generation": ofDomain,
	"End of * Training Unknown":                   ofDomain,
	"Equal Prompts Share a Generation":            ofDomain,
	"Generation Group Has No Id":                  ofDomain,
	"Generation Group Stays: group *":             ofDomain,
	"Generations Are in Another Group":            ofDomain,
	"Generations May Be Another Key's: group *":   ofDomain,
	"Images Could Not Be Deleted":                 ofDomain,
	"Imported Generations Left at the Service":    ofDomain,
	"Media Other Than Pictures":                   ofDomain,
	"Numbers Beyond Reason":                       ofDomain,
	"Prompts Not Submitted":                       ofDomain,
	"A Killed Run Had Bought This":                ofDomain,
	"A Killed Run Has Bought This":                ofDomain,
	"Another Run Has Bought This":                 ofDomain,
	"Purchase Log Is Incomplete":                  ofDomain,
	"Unable to Delete Generation":                 ofDomain,
	"Unable to Delete Superseded Generation":      ofDomain,
	"Unable to Record Downloads":                  ofDomain,
	"Unable to Write Contact Sheet":               ofDomain,
	"Unrequested Generations in a Reply":          ofDomain,
}
