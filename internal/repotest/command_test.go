package repotest_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

var dependentRow = regexp.MustCompile(`(?m)^//\t(\w+) +(\w+\.\w+) {2,}\S`)

// The comment of framework.Command lists who asks it, who tells a run what a CLI does,
// and who reads the capability itself. Nobody else does.
func TestCommandHasAllDependents(t *testing.T) {
	t.Parallel()
	exports := exportsOf(t)
	listed := map[string]bool{}
	found := map[string]bool{}
	for path, names := range exports.sources {
		if !strings.HasPrefix(path, module) || isOfTests(path) {
			continue
		}
		for _, name := range names {
			if filepath.Base(name) != "command.go" {
				continue
			}
			for _, row := range dependentRow.FindAllStringSubmatch(readFile(t, name), -1) {
				listed[row[1]+" "+row[2]] = true
			}
		}
		files := token.NewFileSet()
		syntax, info := exports.check(t, files, path, names)
		for _, file := range syntax {
			addDependents(found, file, info)
		}
	}
	check.True(t, "the list was found", len(listed) > 15, len(listed))
	check.Equal(t, "dependents listed (+), and found (-)", sortedKeys(listed), sortedKeys(found))
}

func isOfTests(path string) bool {
	return strings.HasPrefix(path, module+"internal/acctest") || strings.HasPrefix(path, module+"internal/cmd")
}

func sortedKeys(of map[string]bool) []string { return slices.Sorted(maps.Keys(of)) }

// addDependents adds each question of a file, with the function that asks it.
func addDependents(found map[string]bool, file *ast.File, info types.Info) {
	for _, declaration := range file.Decls {
		asking := "no function"
		function, isFunction := declaration.(*ast.FuncDecl)
		if isFunction {
			asking = nameOf(function, info)
		}
		ast.Inspect(declaration, func(node ast.Node) bool {
			selector, isSelector := node.(*ast.SelectorExpr)
			if isSelector && isQuestion(info.Selections[selector]) {
				found[selector.Sel.Name+" "+asking] = true
			}
			return true
		})
	}
}

// nameOf is the name of a function, after that of its receiver's type.
func nameOf(function *ast.FuncDecl, info types.Info) string {
	if function.Recv == nil {
		return function.Name.Name
	}
	return typeName(info.TypeOf(function.Recv.List[0].Type)) + "." + function.Name.Name
}

func typeName(of types.Type) string {
	if pointer, isPointer := of.(*types.Pointer); isPointer {
		of = pointer.Elem()
	}
	named, isNamed := of.(*types.Named)
	if !isNamed {
		return ""
	}
	return named.Obj().Name()
}

// isQuestion reports whether a selection asks what a CLI is doing, or tells it.
func isQuestion(selection *types.Selection) bool {
	if selection == nil {
		return false
	}
	selected := selection.Obj()
	if selection.Kind() == types.FieldVal {
		return selected.Name() == "DeferralAllowed"
	}
	if selected.Pkg() == nil || !strings.HasPrefix(selected.Pkg().Path(), module) {
		return false
	}
	of := typeName(selection.Recv())
	isTold := of == "Runs" && strings.HasPrefix(selected.Name(), "Note")
	return isTold || of == "Command" && selected.Exported()
}
