package acctest_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

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
		check.True(
			t,
			"the mock service knows the request",
			!slices.Contains([]int{http.StatusNotFound, http.StatusMethodNotAllowed}, answer.Code),
			request[1],
			request[2],
		)
	}
}
