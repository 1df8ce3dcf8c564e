package repotest_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// noted are the functions that only the package purchases calls, since it writes
// a line into the log before and after: a paid request, and what makes or deletes
// something without a price.
var noted = map[string]bool{
	"Paid.Send":                true,
	"CharacterService.Create":  true,
	"Characters.Create":        true,
	"CharacterService.Delete":  true,
	"TrainingService.Cancel":   true,
	"GroupService.Delete":      true,
	"GenerationService.Delete": true,
}

// A service can reach each endpoint through its client. A purchase that did not
// pass the door would be neither limited nor guarded, and after a kill a person
// would import what a deletion without a line has deleted. Promises P1 and P2.
func TestPurchases_haveOneDoor(t *testing.T) {
	t.Parallel()
	exports := exportsOf(t)
	called := map[string]bool{}
	for path, names := range exports.sources {
		if !strings.HasPrefix(path, module) || isOfTests(path) {
			continue
		}
		files := token.NewFileSet()
		syntax, info := exports.check(t, files, path, names)
		for _, file := range syntax {
			for name := range notedIn(file, info) {
				called[name] = true
				// What a run has made is noted around the endpoint.
				isNotedAround := path == module+"internal/evidence" && name == "CharacterService.Create"
				isOfDoor := path == module+"internal/purchases"
				check.True(t, name+" is called by purchases alone", isOfDoor || isNotedAround, path)
			}
		}
	}
	check.Equal(t, "those that are called", sortedKeys(called), sortedKeys(noted))
}

// notedIn returns the noted functions that a file selects, by receiver and name.
func notedIn(file *ast.File, info types.Info) map[string]bool {
	found := map[string]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		selector, isSelector := node.(*ast.SelectorExpr)
		if !isSelector || info.Selections[selector] == nil {
			return true
		}
		function, isFunction := info.Selections[selector].Obj().(*types.Func)
		if !isFunction || function.Pkg() == nil || !strings.HasPrefix(function.Pkg().Path(), module) {
			return true
		}
		name := typeName(function.Signature().Recv().Type()) + "." + function.Name()
		if noted[name] {
			found[name] = true
		}
		return true
	})
	return found
}
