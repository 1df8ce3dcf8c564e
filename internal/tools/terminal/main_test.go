package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

func TestShorten(t *testing.T) {
	t.Parallel()
	got := shorten(strings.Split(`
$ plan

  + id      = (known after apply)
  + results = {
      + a = (known after apply)
      + b = (known after apply)
    }
  + cost    = 2
  + labels  = {
      + a = "x"
    }`, "\n"), regexp.MustCompile(`known after apply`))
	want := "$ plan|  …|  + cost    = 2|  + labels  = {|      + a = \"x\"|    }"
	check.Equal(t, "lines", strings.Join(got, "|"), want)
}

func TestDraw(t *testing.T) {
	t.Parallel()
	picture := filepath.Join(t.TempDir(), "a.png")
	check.Must(t, os.WriteFile(picture, []byte("a picture"), 0o600))
	svg, err := draw(
		[]string{"$ plan", "  \x1b[32m+\x1b[0m cost = 2 < 3"},
		regexp.MustCompile("cost"),
		[]string{"ada=" + picture},
	)
	check.Must(t, err)
	for decoder := xml.NewDecoder(strings.NewReader(svg)); ; {
		_, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		check.Must(t, err)
	}
	for _, part := range []string{
		`fill="#7ee787">+</text>`, `cost = 2 &lt; 3</text>`, `fill="#3d3413"`, `>ada</text>`, `base64,YSBwaWN0dXJl"`,
	} {
		check.Contains(t, "drawn", svg, part)
	}
	_, err = draw(nil, regexp.MustCompile("x"), []string{"a=missing.png"})
	check.True(t, "a picture that is not there", err != nil)
}
