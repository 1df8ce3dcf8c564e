// Command style checks those rules of CONTRIBUTING.md that no linter has, in
// the Go files below a directory. It prints each place that breaks one, and
// exits with 1 if there is any.
//
//  1. The initialiser of an if or switch only declares, and the condition reads what
//     it declares.
//  2. There is one assignment a line, but for the results of a call and a swap.
//  3. A literal of three fields or more has one field a line; not in tests, where a
//     case of a table is one line.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	files := token.NewFileSet()
	found := 0
	err := filepath.WalkDir(os.Args[1], func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && len(entry.Name()) > 1:
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		parsed, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		isTest := strings.HasSuffix(path, "_test.go")
		ast.Inspect(parsed, func(node ast.Node) bool {
			if rule := broken(files, node, isTest); rule != "" {
				found++
				fmt.Printf("%s: %s\n", files.Position(node.Pos()), rule)
			}
			return true
		})
		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if err != nil || found > 0 {
		os.Exit(1)
	}
}

// broken names the rule that a node breaks, if any.
func broken(files *token.FileSet, node ast.Node, isTest bool) string {
	switch node := node.(type) {
	case *ast.IfStmt:
		return initialiser(node.Init, node.Cond)
	case *ast.SwitchStmt:
		if node.Tag != nil {
			return initialiser(node.Init, node.Tag)
		}
		return initialiser(node.Init, node.Body)
	case *ast.AssignStmt:
		if len(node.Lhs) > 1 && len(node.Lhs) == len(node.Rhs) && !isSwap(node) {
			return "write one assignment a line"
		}
	case *ast.CompositeLit:
		if !isTest && isCrowded(files, node) {
			return "write one field a line"
		}
	}
	return ""
}

func initialiser(init ast.Stmt, condition ast.Node) string {
	if init == nil {
		return ""
	}
	declares, is := init.(*ast.AssignStmt)
	if !is || declares.Tok != token.DEFINE {
		return "move what is not a declaration before the statement"
	}
	for _, declared := range declares.Lhs {
		name := placeOf(declared)
		if name != "_" && mentions(condition, name) {
			return ""
		}
	}
	return "let the condition read what it declares"
}

func mentions(node ast.Node, name string) (found bool) {
	ast.Inspect(node, func(inner ast.Node) bool {
		identifier, is := inner.(*ast.Ident)
		found = found || is && identifier.Name == name
		return !found
	})
	return found
}

// isSwap reports whether an assignment exchanges the values of two places.
func isSwap(assignment *ast.AssignStmt) bool {
	if len(assignment.Lhs) != 2 {
		return false
	}
	places := []string{placeOf(assignment.Lhs[0]), placeOf(assignment.Lhs[1])}
	values := []string{placeOf(assignment.Rhs[0]), placeOf(assignment.Rhs[1])}
	return places[0] != "" && places[0] == values[1] && places[1] == values[0]
}

// placeOf writes a variable, a field or an element; anything else is empty.
func placeOf(expression ast.Expr) string {
	switch expression := expression.(type) {
	case *ast.Ident:
		return expression.Name
	case *ast.BasicLit:
		return expression.Value
	case *ast.SelectorExpr:
		return placeOf(expression.X) + "." + expression.Sel.Name
	case *ast.IndexExpr:
		return placeOf(expression.X) + "[" + placeOf(expression.Index) + "]"
	}
	return ""
}

// isCrowded reports whether a struct literal with three fields or more has two
// fields on a line.
func isCrowded(files *token.FileSet, literal *ast.CompositeLit) bool {
	if _, isMap := literal.Type.(*ast.MapType); isMap || len(literal.Elts) < 3 {
		return false
	}
	line := 0
	for _, element := range literal.Elts {
		field, is := element.(*ast.KeyValueExpr)
		if !is {
			return false
		}
		if _, is := field.Key.(*ast.Ident); !is {
			return false
		}
		begins := files.Position(element.Pos()).Line
		if begins == line {
			return true
		}
		line = files.Position(element.End()).Line
	}
	return false
}
