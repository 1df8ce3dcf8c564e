package provider_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// manyPurchases names the log that a process of its own reads.
const manyPurchases = "PURCHASES_LOG_OF_MANY"

// cost is what a read has taken.
type cost struct {
	Seconds   float64
	MiB       int // at most, of the whole process
	Answer    int // in bytes
	Purchases int
}

// A year of a large studio is read in seconds, and by a runner with little
// memory: 100,000 purchases took 35 seconds and 2.2 GiB. It is played in a
// process of its own, whose memory is the provider's. The bounds are those of a
// machine that does much else.
func TestPurchases_many(t *testing.T) {
	tier.Large(t, "a log of 100,000 batches, 10 seconds")
	t.Parallel()
	if path := os.Getenv(manyPurchases); path != "" {
		printCost(t, path)
		return
	}
	path := writeManyBatches(t, 100_000, 1)
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestPurchases_many$", "-test.v")
	command.Env = append(os.Environ(), manyPurchases+"="+path, "GOGC=100")
	output, err := command.CombinedOutput()
	check.True(t, "it reads the log", err == nil, err, string(output))
	var read cost
	for line := range strings.Lines(string(output)) {
		if said, is := strings.CutPrefix(line, "cost: "); is {
			check.Must(t, json.Unmarshal([]byte(said), &read))
		}
	}
	t.Logf("%+v", read)
	check.Equal(t, "purchases", read.Purchases, 100_000)
	check.True(t, "it takes seconds", read.Seconds < 15, read)
	check.True(t, "it takes little memory", read.MiB < 400, read)
}

func printCost(t *testing.T, path string) {
	t.Helper()
	var read cost
	begun := time.Now()
	answer := readDataSource(t, path)
	read.Seconds = time.Since(begun).Seconds()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	read.MiB = int(memory.Sys >> 20)
	read.Answer = len(answer)
	read.Purchases = strings.Count(string(answer), "import_id")
	said, err := json.Marshal(read)
	check.Must(t, err)
	fmt.Printf("\ncost: %s\n", said)
}

// readDataSource returns the answer to a CLI.
func readDataSource(t testing.TB, path string) []byte {
	t.Helper()
	service := acctest.NewService(t)
	server, err := service.Provider()
	check.Must(t, err)
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	check.Must(t, err)
	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		Config: encoded(t, schemas.Provider, core.Object{
			"api_key":  acctest.APIKey,
			"base_url": service.URL,
		}),
	})
	check.Must(t, err)
	wantSilence(t, configured.Diagnostics)
	answer, err := server.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
		TypeName: purchasesType,
		Config:   encoded(t, schemas.DataSourceSchemas[purchasesType], core.Object{"path": path}),
	})
	check.Must(t, err)
	wantSilence(t, answer.Diagnostics)
	return answer.State.MsgPack
}

func wantSilence(t testing.TB, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	for _, said := range diagnostics {
		t.Fatal(said.Summary, said.Detail)
	}
}

// encoded is a configuration with texts, and null for all else.
func encoded(t testing.TB, schema *tfprotov6.Schema, texts core.Object) *tfprotov6.DynamicValue {
	t.Helper()
	object, _ := schema.ValueType().(tftypes.Object)
	values := map[string]tftypes.Value{}
	for name, typ := range object.AttributeTypes {
		values[name] = tftypes.NewValue(typ, texts[name])
	}
	value, err := tfprotov6.NewDynamicValue(object, tftypes.NewValue(object, values))
	check.Must(t, err)
	return &value
}

// writeManyBatches writes a log of batches of so many prompts.
func writeManyBatches(t testing.TB, count, prompts int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log")
	file, err := os.Create(path)
	check.Must(t, err)
	lines := bufio.NewWriter(file)
	for i := range count {
		entry := purchases.Entry{
			Time:        "2030-01-02T03:04:05Z",
			Request:     fmt.Sprintf("3p3l2wawq4avrm42ltkzv%d", i),
			Type:        "batch",
			Outcome:     "sending",
			Version:     2,
			By:          &purchases.Origin{Run: fmt.Sprint("run ", i/100), Author: authorOf(i)},
			Labels:      map[string]string{"client": fmt.Sprint("client ", i%20), "team": "portraits"},
			CharacterID: fmt.Sprint("character ", i%1000),
			Title:       new("Portraits"),
			Prompts:     map[string]string{},
		}
		generations := map[string]string{}
		for place := range prompts {
			key := fmt.Sprint("prompt ", place)
			entry.Prompts[key] = purchases.SumOf(i*prompts + place)
			generations[key] = fmt.Sprintf("gen_%d_%d", i, place)
		}
		writeLine(t, lines, entry)
		entry.Outcome = "answered"
		entry.Version = 0
		entry.By = nil
		entry.Labels = nil
		entry.GroupID = fmt.Sprint("group ", i)
		entry.Generations = generations
		entry.CreditsDeducted = new(10.0)
		writeLine(t, lines, entry)
	}
	check.Must(t, lines.Flush())
	check.Must(t, file.Close())
	return path
}

// authorOf is one of five people, in a job for every hundred purchases.
func authorOf(i int) purchases.Author {
	return purchases.Author{
		User: fmt.Sprint("user ", i%5),
		Host: fmt.Sprint("host ", i/100),
		Job:  fmt.Sprint("https://ci.example/jobs/", i/100),
	}
}

func writeLine(t testing.TB, lines *bufio.Writer, entry purchases.Entry) {
	t.Helper()
	line, err := json.Marshal(entry)
	check.Must(t, err)
	_, err = lines.Write(append(line, '\n'))
	check.Must(t, err)
}

// What a purchase adds to the time of a read.
func BenchmarkPurchases(b *testing.B) {
	const count = 2000
	path := writeManyBatches(b, count, 10)
	for b.Loop() {
		readDataSource(b, path)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/count, "µs/purchase")
}
