package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
)

// downloadAction downloads all pictures, named by character and prompt. The
// configuration itself also works on CLIs without actions.
const downloadAction = `
action "mediagen_download_generations" "pictures" {
  config {
    generation_ids = merge([
      for name, group in mediagen_generation_group.this : {
        for key, generation in group.generations : "${name}-${key}" => generation.id
      }
    ]...)
    directory = %q
    overwrite = true
  }
}
`

// download downloads the pictures as a user would, if the CLI has actions.
func (s *story) download(ctx context.Context) error {
	if !s.terminal.hasActions(ctx) {
		say("The action that downloads the pictures needs Terraform 1.14.")
		return nil
	}
	say("The pictures are downloaded.")
	action := filepath.Join(s.terminal.workspace, "download.tf")
	if err := os.WriteFile(action, fmt.Appendf(nil, downloadAction, s.pictures), 0o600); err != nil {
		return err
	}
	if err := s.terminal.run(ctx, "apply", "-auto-approve", "-invoke=action.mediagen_download_generations.pictures", "-var", extraPrompts); err != nil {
		return err
	}
	sheet := filepath.Join(s.pictures, "index.html")
	if _, err := os.Stat(sheet); err != nil {
		return err
	}
	s.sheet = (&url.URL{Scheme: "file", Path: sheet}).String()
	return nil
}
