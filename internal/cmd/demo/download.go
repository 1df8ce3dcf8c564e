package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
)

// downloadAction downloads all pictures. The configuration itself also works on
// CLIs without actions.
const downloadAction = `
action "mediagen_download_generations" "pictures" {
  config {
    generation_ids = %s
    directory      = %q
    overwrite      = true
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
	if err := os.WriteFile(action, fmt.Appendf(nil, downloadAction, s.pictures, s.directory), 0o600); err != nil {
		return err
	}
	arguments := append(
		[]string{"-auto-approve", "-invoke=action.mediagen_download_generations.pictures"},
		s.variables...)
	if err := s.terminal.run(ctx, "apply", arguments...); err != nil {
		return err
	}
	sheet := filepath.Join(s.directory, "index.html")
	if _, err := os.Stat(sheet); err != nil {
		return err
	}
	s.sheet = (&url.URL{Scheme: "file", Path: sheet}).String()
	return nil
}
