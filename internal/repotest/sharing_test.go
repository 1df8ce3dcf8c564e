package repotest_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// A parallel subtest assigns to nothing that was declared outside it: its
// siblings may share that, as a field of what an outer loop has made. Three
// commits have mended such a race, each in another place. Only the variables of
// the loop that starts it are its own.
func TestParallelSubtestsShareNothing(t *testing.T) {
	t.Parallel()
	parallel := 0
	check.Must(t, filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		for _, found := range subtestsIn(file) {
			parallel++
			for _, shared := range found.shared() {
				where := files.Position(shared.Pos())
				t.Errorf("%s: a parallel subtest assigns to %s, which was declared outside it", where, shared.Name)
			}
		}
		return nil
	}))
	check.True(t, "parallel subtests were found", parallel > 100, parallel)
}

const subtestInLoops = `package p

func TestX(t *testing.T) {
	var fault, count, all, pointer any
	for _, outer := range all {
		for _, inner := range all {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				var own any
				STATEMENT
			})
		}
	}
}
`

// What the rule has to find, and what it has to leave.
func TestParallelSubtestsShareNothing_finds(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string]string{
		`fault.Route = "x"`:             "fault",
		`count++`:                       "count",
		`all[0] = 1`:                    "all",
		`*pointer = 1`:                  "pointer",
		`(fault).Route, own = "x", 1`:   "fault",
		`outer.Route = "x"`:             "outer",
		`inner.of["x"] = 1`:             "inner",
		`inner.Route = "x"`:             "",
		`own := fault; own.Route = "x"`: "",
		`own := 1; own++`:               "",
		`_ = fault`:                     "",
		`t = nil`:                       "",
	} {
		source := strings.Replace(subtestInLoops, "STATEMENT", statement, 1)
		file, err := parser.ParseFile(token.NewFileSet(), "x_test.go", source, 0)
		check.Must(t, err)
		var names []string
		for _, found := range subtestsIn(file) {
			for _, shared := range found.shared() {
				names = append(names, shared.Name)
			}
		}
		check.Equal(t, statement, strings.Join(names, " "), want)
	}
}

// subtest is a parallel one, and the innermost loop around it, if there is one.
type subtest struct {
	*ast.FuncLit
	loop *ast.RangeStmt
}

func subtestsIn(file *ast.File) (found []subtest) {
	var around []ast.Node
	ast.Inspect(file, func(node ast.Node) bool {
		if node == nil {
			around = around[:len(around)-1]
			return true
		}
		around = append(around, node)
		literal, is := node.(*ast.FuncLit)
		if !is || !isParallelSubtest(literal) {
			return true
		}
		one := subtest{FuncLit: literal}
		for _, outer := range around {
			if loop, is := outer.(*ast.RangeStmt); is {
				one.loop = loop
			}
		}
		found = append(found, one)
		return true
	})
	return found
}

// isParallelSubtest reports whether a function literal has a *testing.T, which
// it makes parallel.
func isParallelSubtest(literal *ast.FuncLit) bool {
	var its *ast.Ident
	for _, parameter := range literal.Type.Params.List {
		pointer, isPointer := parameter.Type.(*ast.StarExpr)
		if isPointer && len(parameter.Names) == 1 && fmt.Sprint(pointer.X) == "&{testing T}" {
			its = parameter.Names[0]
		}
	}
	if its == nil {
		return false
	}
	isParallel := false
	ast.Inspect(literal.Body, func(node ast.Node) bool {
		method, is := node.(*ast.SelectorExpr)
		if is && method.Sel.Name == "Parallel" && rootOf(method.X).Name == its.Name {
			isParallel = true
		}
		return !isParallel
	})
	return isParallel
}

// shared are the variables that the subtest assigns to, in whole or in part,
// and that may be others', too.
func (s subtest) shared() (found []*ast.Ident) {
	look := func(target ast.Expr) {
		variable := rootOf(target)
		at := token.NoPos
		if variable.Obj != nil {
			at = variable.Obj.Pos()
		}
		isOwn := s.Pos() <= at && at < s.End()
		isOfLoop := s.loop != nil && s.loop.Pos() <= at && at < s.loop.Body.Pos() && isCopiedWith(target)
		if variable.Name != "_" && !isOwn && !isOfLoop {
			found = append(found, variable)
		}
	}
	ast.Inspect(s.Body, func(node ast.Node) bool {
		switch statement := node.(type) {
		case *ast.AssignStmt:
			if statement.Tok == token.DEFINE {
				break
			}
			for _, target := range statement.Lhs {
				look(target)
			}
		case *ast.IncDecStmt:
			look(statement.X)
		}
		return true
	})
	return found
}

// isCopiedWith reports whether a target is copied with its variable: an element
// of a map, or what a pointer leads to, is not.
func isCopiedWith(target ast.Expr) bool {
	isCopied := true
	ast.Inspect(target, func(node ast.Node) bool {
		switch node.(type) {
		case *ast.IndexExpr, *ast.StarExpr:
			isCopied = false
		}
		return isCopied
	})
	return isCopied
}

// rootOf is the variable that an expression is a part of. What is a part of a
// result has none.
func rootOf(expression ast.Expr) *ast.Ident {
	for {
		switch inner := expression.(type) {
		case *ast.Ident:
			return inner
		case *ast.SelectorExpr:
			expression = inner.X
		case *ast.IndexExpr:
			expression = inner.X
		case *ast.StarExpr:
			expression = inner.X
		case *ast.ParenExpr:
			expression = inner.X
		default:
			return ast.NewIdent("_")
		}
	}
}
