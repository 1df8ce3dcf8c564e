package acctest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases/storetest"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// A file becomes the first object of a bucket, and the objects of one a file: what
// it has guarded before it guards in both. Objects repeat others, have no last line
// end, or have keys and titles that look like what is left out.
func TestAccBooks_moved(t *testing.T) {
	tier.Long(t, "the commands of a guide")
	t.Parallel()
	const guarded = "Another Run Has Bought This"
	m := newTerminal(t, newExampleService(t), t.TempDir())
	m.write("main.tf", versions+`
resource "mediagen_generation_group" "coast" {
  prompts = { morning = { prompt = "A rocky coast at dawn" } }
}
`)
	m.setenv("MEDIAGEN_PURCHASE_LOG", purchaseLog)
	m.run("apply", "-auto-approve")
	m.forget("mediagen_generation_group.coast")
	moved := m.read(purchaseLog)

	store := storetest.New()
	torn := strings.TrimSuffix(moved, "\n")
	store.Put(1, []byte(torn))
	buyInStore(t, store)
	check.Must(t, os.Mkdir(filepath.Join(m.directory, "log"), 0o700))
	for number, content := range store.Objects() {
		m.write(fmt.Sprintf("log/%012d.jsonl", 1_000_000_000_000-number), string(content))
	}
	copies := t.TempDir()
	m.setenv("BUCKETS", copies)
	m.follow("books#moving-the-log", ciTools(t))
	for _, tool := range []string{"aws", "gcloud", "az"} {
		check.Equal(t, "the first object, by "+tool, readFile(t, filepath.Join(copies, tool)), moved)
	}
	again := strings.Split(m.read(purchaseLog), "\n")
	lines := strings.Split(moved+strings.TrimPrefix(store.Text(), torn), "\n")
	check.True(t, "each line again, in order", slices.Equal(again, lines), len(again), len(lines))
	m.wantSays(m.run("plan"), guarded)

	bucket := newCloud(t)
	bucket.holds("studio-mediagen/production/999999999999.jsonl", []byte(moved))
	m.reachable(bucket)
	m.environment = append(m.environment, credentialsOf(readerRole)...)
	m.setenv("MEDIAGEN_PURCHASE_LOG", cloudLog)
	m.wantSays(m.run("plan"), guarded)
}

// buyInStore writes so many purchases that some objects repeat others.
func buyInStore(t *testing.T, store *storetest.Store) {
	t.Helper()
	log, err := purchases.NewLog(purchases.Config{
		Books:     []string{storetest.Address},
		OpenStore: store.Open,
		Caller:    func() evidence.Caller { return evidence.Caller{} },
		Clock:     wait.System,
	})
	check.Must(t, err)
	for i := range 110 {
		title := fmt.Sprintf("%d\n{\"time\":\"\",\"type\":\"carry\"", i)
		entry := &purchases.Entry{
			Type:    "batch",
			Title:   &title,
			Prompts: map[string]string{"type": purchases.SumOf(i)},
		}
		check.Must(t, log.Begin(context.WithoutCancel(t.Context()), entry))
		entry.Generations = map[string]string{"type": "carry"}
		log.End(entry, nil)
	}
	objects := store.Objects()
	check.True(t, "some repeat others", len(objects) > 200 && strings.HasPrefix(string(objects[200]), "\x1f\x8b"))
}
