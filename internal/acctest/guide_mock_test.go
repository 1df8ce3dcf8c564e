package acctest_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestAccGuide_testingModules(t *testing.T) {
	t.Parallel()
	m := newTerminal(t, acctest.NewService(t), filepath.Join(examples, "modules", "studio"))
	m.needs(tfversion.Version1_8_0, "functions of providers")
	if !m.hasTools("curl") {
		t.Log("there is no curl: only the module's tests are run, by TestAccModule_studio")
		return
	}
	m.installable()
	output := m.follow("testing-modules", goBuild(t, mockserverCommand), "127.0.0.1:8790", freeAddress(t))
	m.wantSays(output, "5 passed, 0 failed", "no credits left", "It fails, as it should.")
}

func goBuild(t *testing.T, packages ...string) (directory string) {
	t.Helper()
	directory = t.TempDir()
	command := exec.CommandContext(t.Context(), "go", append([]string{"build", "-buildvcs=false", "-o", directory}, packages...)...)
	command.Dir = root
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %s\n%s", command, err, output)
	}
	return directory
}

const mockserverCommand = "./internal/cmd/mediagen-mockserver"

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	check.Must(t, err)
	defer listener.Close()
	return listener.Addr().String()
}

func TestGuide_mockAdministration(t *testing.T) {
	t.Parallel()
	content := readFile(t, filepath.Join("..", "..", "docs", "guides", "testing-modules.md"))
	guide := content
	for field := range reflect.TypeFor[mockserver.Fault]().Fields() {
		name := field.Tag.Get("json")
		check.True(t, "the guide has each field of a fault", name == "-" || strings.Contains(guide, "`"+name+"`"), name)
	}
	service, err := mockserver.New(mockserver.Options{})
	check.Must(t, err)
	requests := regexp.MustCompile("`(GET|POST|DELETE) (/_mock/[a-z.]*)`").FindAllStringSubmatch(guide, -1)
	check.True(t, "the guide names requests", len(requests) != 0)
	for _, request := range requests {
		answer := httptest.NewRecorder()
		service.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), request[1], request[2], http.NoBody))
		check.True(t, "the mock service knows the request", !slices.Contains([]int{http.StatusNotFound, http.StatusMethodNotAllowed}, answer.Code),
			request[1], request[2])
	}
}
