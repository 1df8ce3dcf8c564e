package main_test

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	main "github.com/mediagen/terraform-provider-mediagen/internal/cmd/mediagen-mockserver"
)

// TestRunExtended: with the flag, a character can be made and given a dataset,
// which takes no time if that is asked for.
func TestRunExtended(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "address")
	ctx, cancel := context.WithCancel(t.Context())
	var out bytes.Buffer
	done := make(chan error, 1)
	go func() {
		done <- main.Run(ctx, []string{"-addr", "127.0.0.1:0", "-address-file", file, "-extended", "-dataset-time", "0", "-seed", "id=ada,body-images=2"}, &out)
	}()
	origin := waitForFile(t, file)
	authorized := authorize(t, origin)
	post(t, origin+"/v2/characters", authorized, `{"name":"Lin"}`)
	post(t, origin+"/v2/ada/dataset/generate", authorized, `{"prompts":["a castle"]}`)
	for _, part := range []string{`"name": "Lin"`, `"prompt": "a castle"`, `"dataset_status": "generated"`} {
		check.Contains(t, "the reply", get(t, origin+"/_mock/state"), part)
	}
	check.Contains(t, "contract", get(t, origin+"/_mock/extended.yaml"), "operationId: createCharacter")
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
