package repotest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

const module = "github.com/mediagen/terraform-provider-mediagen/"

// saidFields are what a service says of an object, under the names that structs
// and states give it. An id has passed a door of its own (reply.IsID); an
// address is quoted nowhere.
var saidFields = []string{
	"AssetType",
	"BodyLoRAStatus",
	"Caption",
	"CaptionStatus",
	"CreatedAt",
	"DatasetStatus",
	"Error",
	"FaceLoRAStatus",
	"FinishReason",
	"GenerationType",
	"GroupType",
	"JobType",
	"Message",
	"Service",
	"Status",
	"TrainingPhase",
	"UpdatedAt",
	"Word",
}

// What a service said is printed as a reply.Text, whose Format folds lines,
// bounds and shows what nobody sees: no message gets it as a plain text,
// however it came there, from a reply or from the state. Fault F36.
func TestWhatServicesSayIsPrintedAsText(t *testing.T) {
	t.Parallel()
	exports := exportsOf(t)
	checked := 0
	for path, files := range exports.sources {
		if !isAboveReply(path) {
			continue
		}
		said := &printed{t: t, files: token.NewFileSet()}
		said.load(path, files, exports)
		checked += said.prints
	}
	check.True(t, "messages were found", checked > 200, checked)
}

func isAboveReply(path string) bool {
	below, isOurs := strings.CutPrefix(path, module+"internal/")
	room, _, _ := strings.Cut(below, "/")
	rooms := append([]string{"api", "media"}, repotest.SpeaksToTerraform...)
	return isOurs && slices.Contains(rooms, room)
}

// exports has the compiled packages, and the sources of ours.
type exports struct{ compiled, sources map[string][]string }

func exportsOf(t *testing.T) exports {
	t.Helper()
	found, err := listExports()
	check.Must(t, err)
	return found
}

// listExports compiles all packages, once for all tests.
var listExports = sync.OnceValues(func() (exports, error) {
	list := exec.Command(
		"go",
		"list",
		"-export",
		"-deps",
		"-json=ImportPath,Export,Dir,GoFiles",
		"./...",
	)
	list.Dir = ".."
	output, err := list.Output()
	if err != nil {
		return exports{}, fmt.Errorf("go list: %w", err)
	}
	found := exports{compiled: map[string][]string{}, sources: map[string][]string{}}
	decoder := json.NewDecoder(bytes.NewReader(output))
	for {
		var listed struct {
			ImportPath, Export, Dir string
			GoFiles                 []string
		}
		if decoder.Decode(&listed) == io.EOF {
			return found, nil
		}
		found.compiled[listed.ImportPath] = []string{listed.Export}
		for _, name := range listed.GoFiles {
			found.sources[listed.ImportPath] = append(found.sources[listed.ImportPath], filepath.Join(listed.Dir, name))
		}
	}
})

// printed looks through one package for what its messages print.
type printed struct {
	t      *testing.T
	files  *token.FileSet
	info   types.Info
	prints int
}

func (p *printed) load(path string, names []string, from exports) {
	var syntax []*ast.File
	syntax, p.info = from.check(p.t, p.files, path, names)
	for _, file := range syntax {
		ast.Inspect(file, p.look)
	}
}

// check parses the files of a package and finds the types in them.
func (e exports) check(
	t *testing.T,
	files *token.FileSet,
	path string,
	names []string,
) (syntax []*ast.File, info types.Info) {
	t.Helper()
	for _, name := range names {
		file, err := parser.ParseFile(files, name, nil, 0)
		check.Must(t, err)
		syntax = append(syntax, file)
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(e.compiled[path][0]) }
	config := types.Config{Importer: importer.ForCompiler(files, "gc", open)}
	info = types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	_, err := config.Check(path, files, syntax, &info)
	check.Must(t, err)
	return syntax, info
}

func (p *printed) look(node ast.Node) bool {
	call, isCall := node.(*ast.CallExpr)
	if isCall && isPrint(call) {
		p.prints++
		for _, argument := range call.Args {
			where := p.files.Position(argument.Pos())
			check.True(p.t, fmt.Sprintf("%s is printed as a reply.Text", where), !p.isPlainSaying(argument))
		}
	}
	if sum, isSum := node.(*ast.BinaryExpr); isSum && sum.Op == token.ADD {
		where := p.files.Position(sum.Pos())
		check.True(
			p.t,
			fmt.Sprintf("%s is added as a reply.Text", where),
			!p.isPlainSaying(sum.X) && !p.isPlainSaying(sum.Y),
		)
	}
	return true
}

// isPrint reports whether a call makes a message of its arguments.
func isPrint(call *ast.CallExpr) bool {
	function, isMethod := call.Fun.(*ast.SelectorExpr)
	if !isMethod {
		return false
	}
	of, _ := function.X.(*ast.Ident)
	isFmt := of != nil && of.Name == "fmt"
	return isFmt && function.Sel.Name != "Sscanf" ||
		strings.HasPrefix(function.Sel.Name, "Add") && strings.Contains(function.Sel.Name, "ror")
}

// isPlainSaying reports whether an expression is a string that a service may
// have said: a field of that name, its value, or a reply.Text that is none any
// more.
func (p *printed) isPlainSaying(expression ast.Expr) bool {
	if basic, is := p.info.TypeOf(expression).(*types.Basic); !is || basic.Kind() != types.String {
		return false
	}
	for {
		switch inner := expression.(type) {
		case *ast.StarExpr:
			expression = inner.X
		case *ast.ParenExpr:
			expression = inner.X
		case *ast.CallExpr:
			if len(inner.Args) == 1 && p.isText(inner.Args[0]) {
				return true // string(text)
			}
			method, isMethod := inner.Fun.(*ast.SelectorExpr)
			if !isMethod || !slices.Contains([]string{"Get", "ValueString"}, method.Sel.Name) {
				return false
			}
			expression = method.X
		case *ast.SelectorExpr:
			return slices.Contains(saidFields, inner.Sel.Name)
		default:
			return false
		}
	}
}

func (p *printed) isText(expression ast.Expr) bool {
	return strings.HasSuffix(types.TypeString(p.info.TypeOf(expression), nil), "internal/reply.Text")
}
