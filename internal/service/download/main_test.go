package download_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestMain(m *testing.M) { acctest.Main(m) }

const downloadAction = "mediagen_download_generations"

// downloads is a scenario whose group of three has ended, and a directory that
// does not exist yet.
type downloads struct {
	*acctest.Scenario
	ids       core.Object
	directory string
}

func newDownloads(t *testing.T, change ...func(*mockserver.Options)) downloads {
	t.Helper()
	d := downloads{
		Scenario:  acctest.NewScenario(t, change...),
		ids:       core.Object{},
		directory: filepath.Join(t.TempDir(), "made", "here"),
	}
	d.generate("in the rain")
	return d
}

// generate buys the group, or the changed prompt of a.
func (d downloads) generate(a string) {
	d.T.Helper()
	d.Resource(groupAddress, core.Object{"prompts": d.prompts(a)})
	d.Apply().Must()
	for _, key := range []string{"a", "b", "c"} {
		d.ids[key] = d.Value(groupAddress, `generations["`+key+`"].id`)
	}
	d.ResetJournal()
}

func (d downloads) prompts(a string) core.Object {
	return core.Object{
		"a": core.Object{
			"prompt": a,
		},
		"b": core.Object{"prompt": "in the <snow>"},
		"c": core.Object{"prompt": "in the sun"},
	}
}

func (d downloads) id(key string) string { return d.ids[key].(string) }

func (d downloads) download(more ...core.Object) ([]string, core.Diagnostics) {
	d.T.Helper()
	config := core.Object{"generation_ids": d.ids, "directory": d.directory}
	for _, object := range more {
		maps.Copy(config, object)
	}
	lines, messages := d.Invoke(downloadAction, config)
	d.WantCount(d.T, mockserver.RouteBatch, 0)
	return lines, messages
}

// succeeds is download, without a message.
func (d downloads) succeeds(more ...core.Object) []string {
	d.T.Helper()
	lines, messages := d.download(more...)
	check.True(d.T, "no message", len(messages) == 0, messages)
	return lines
}

// wantFiles checks which files there are beside the record.
func (d downloads) wantFiles(want ...string) {
	d.T.Helper()
	want = append(want, media.RecordName)
	got := []string{}
	entries, err := os.ReadDir(d.directory)
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	slices.Sort(want)
	check.True(d.T, "the files", err == nil && slices.Equal(got, want), got, want, err)
}

func (d downloads) read(name string) string {
	d.T.Helper()
	content, err := os.ReadFile(filepath.Join(d.directory, name))
	check.NoError(d.T, err)
	return string(content)
}
