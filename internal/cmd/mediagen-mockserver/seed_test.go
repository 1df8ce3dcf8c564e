package main_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	main "github.com/mediagen/terraform-provider-mediagen/internal/cmd/mediagen-mockserver"
)

// TestRunListsCharacters: who starts the service without a seed is told which
// characters there are, and what they can be used for.
func TestRunListsCharacters(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "address")
	ctx, cancel := context.WithCancel(t.Context())
	var out bytes.Buffer
	done := make(chan error, 1)
	go func() { done <- main.Run(ctx, []string{"-addr", "127.0.0.1:0", "-address-file", file}, &out) }()
	waitForFile(t, file)
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	printed := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"char_ada Ada 1 face, 2 body, 3 dataset images can be trained char_lin Lin 0 face, 0 body, 0 dataset images can be trained once it has a face image char_grace",
		"char_alan Alan 2 face, 1 body, 0 dataset images is trained: a prompt can use the body LoRA",
	} {
		check.True(t, "the text", strings.Contains(printed, want), want, out.String())
	}
}
