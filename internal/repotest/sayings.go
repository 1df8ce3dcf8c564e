// Package repotest holds the tests of the repository: of its documents,
// messages, interface, policies and workflows. Authors of a resource need not
// know the tests, because each failure says what is missing.
package repotest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// SpeaksToTerraform are the rooms of internal whose code returns diagnostics.
var SpeaksToTerraform = []string{"framework", "purchases", "run", "provider", "service"}

// Summaries finds the summaries in the source with their positions; a * stands
// for a part that is not literal.
func Summaries(t *testing.T) map[string]token.Position {
	t.Helper()
	files := token.NewFileSet()
	found := map[string]token.Position{}
	for _, room := range SpeaksToTerraform {
		err := filepath.WalkDir(filepath.Join("..", room), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(node ast.Node) bool {
				if summary := summaryIn(node); strings.Trim(summary, "* :") != "" {
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

// Pattern matches every text that a summary in the source may become.
func Pattern(summary string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(summary), `\*`, ".*") + "$")
}

// argument is the position of the summary among a function's arguments.
var argument = map[string]int{
	"AddError":                      0,
	"AddWarning":                    0,
	"NewErrorDiagnostic":            0,
	"NewWarningDiagnostic":          0,
	"fail":                          0,
	"AddAttributeError":             1,
	"AddAttributeWarning":           1,
	"add":                           1,
	"NewAttributeErrorDiagnostic":   1,
	"NewAttributeWarningDiagnostic": 1,
}

func summaryIn(node ast.Node) string {
	switch node := node.(type) {
	case *ast.CallExpr:
		if i, is := argument[nameOf(node.Fun)]; is && i < len(node.Args) {
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
		if fields["what"] != "" {
			return fields["what"] + ": *"
		}
		if fields["Severity"] != "" { // a message in the protocol's own form
			return fields["Summary"]
		}
		return fields["headline"]
	}
	return ""
}

// nameOf returns the name of a function, or of the function that returns it.
func nameOf(function ast.Expr) string {
	switch function := function.(type) {
	case *ast.SelectorExpr:
		return function.Sel.Name
	case *ast.Ident:
		return function.Name
	case *ast.CallExpr:
		return nameOf(function.Fun)
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
	case *ast.CallExpr:
		if len(expression.Args) > 0 &&
			strings.EqualFold(nameOf(expression.Fun), "summary") { // the summary ends with the name of its object
			return literal(expression.Args[0]) + ": *"
		}
	}
	return "*"
}

// Sayings returns a function that reports whether the provider can say a text.
func Sayings(t *testing.T) func(text string) bool {
	t.Helper()
	source := providerSource(t)
	written := Summaries(t)
	return func(text string) bool {
		said := strings.Contains(source, text)
		for summary := range written { // a message of a kind has the kind's name in front
			said = said || Pattern(summary).MatchString(text)
		}
		return said
	}
}

// providerSource returns the source of all code that speaks to users.
func providerSource(t *testing.T) string {
	t.Helper()
	var source strings.Builder
	rooms := append([]string{"reply", "transport", "api", "evidence"}, SpeaksToTerraform...)
	for _, room := range rooms {
		err := filepath.WalkDir(filepath.Join("..", room), func(path string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			content, err := os.ReadFile(path)
			source.Write(content)
			return err
		})
		check.Must(t, err)
	}
	return source.String()
}
