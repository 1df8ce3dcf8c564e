package purchases_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// logOfMany names the log that a process of its own reads.
const logOfMany = "GUARDING_LOG_OF_MANY"

// A plan, and an apply, with a log of 100,000 living purchases takes seconds and
// some 150 MiB more than one without. The log is read in a process of its own,
// and asked for all that it has. The bounds are those of a machine that does
// much else.
func TestLog_many(t *testing.T) {
	tier.Large(t, "a log of 100,000 purchases, 10 seconds")
	t.Parallel()
	const count = 100_000
	if path := os.Getenv(logOfMany); path != "" {
		readMany(t, path, count)
		return
	}
	path := filepath.Join(t.TempDir(), "log")
	writeMany(t, path, count)
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestLog_many$", "-test.v")
	command.Env = append(os.Environ(), logOfMany+"="+path, "GOGC=100")
	output, err := command.CombinedOutput()
	check.True(t, "it reads the log", err == nil, err, string(output))
	t.Log(string(output))
}

func readMany(t *testing.T, path string, count int) {
	t.Helper()
	begun := time.Now()
	log := newRun(t, "org", path)
	check.Must(t, log.Check())
	read := time.Since(begun)
	for i := range count {
		order := batch("ch")
		order.Title = new(fmt.Sprint("Title ", i))
		order.Prompts["a"] = purchases.SumOf(i)
		check.Equal(t, "guarded", len(log.Find(order, fmt.Sprint("object ", i)).Guarded), 1)
	}
	asked := time.Since(begun) - read
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	t.Logf("read in %s, asked in %s, %d MiB", read, asked, memory.Sys>>20)
	check.True(t, "it takes seconds", read+asked < 20*time.Second, read, asked)
	check.True(t, "it takes little memory", memory.Sys>>20 < 350, memory.Sys)
}

// writeMany writes a log of purchases that states have, and that live.
func writeMany(t *testing.T, path string, count int) {
	t.Helper()
	file, err := os.Create(path)
	check.Must(t, err)
	lines := bufio.NewWriter(file)
	const by = `{"run":"another","address":"api/v2","organization":"org","salt":"s","credential":"c"}`
	for i := range count {
		about := fmt.Sprintf(`"request":"r%d","type":"batch"`, i)
		bought := fmt.Sprintf(
			`"object":"o%d","character_id":"ch","title":"Title %d","prompts":{"a":%q}`,
			i,
			i,
			purchases.SumOf(i),
		)
		for _, line := range []string{
			about + `,"outcome":"sending","version":2,"by":` + by + `,` + bought,
			about + fmt.Sprintf(
				`,"outcome":"answered",%s,"group_id":"grp_%d","generations":{"a":"gen_%d"}`,
				bought,
				i,
				i,
			),
			fmt.Sprintf(`"type":"apply","outcome":"returned","of":{"r%d":null}`, i),
			about + `,"outcome":"stored","by":` + by,
		} {
			_, err := fmt.Fprintf(lines, "{\"time\":\"2030-01-02T03:04:05Z\",%s}\n", line)
			check.Must(t, err)
		}
	}
	check.Must(t, lines.Flush())
	check.Must(t, file.Close())
}
