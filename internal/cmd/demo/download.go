package main

import (
	"context"
	"errors"
	"fmt"
	"image/png"
	"net/http"
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

// download downloads the pictures as a user would: with the action if the CLI
// has actions, else one by its address.
func (s *story) download(ctx context.Context) error {
	if !s.terminal.hasActions(ctx) {
		return s.fetchOne(ctx)
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

func (s *story) fetchOne(ctx context.Context) error {
	var outputs struct {
		Results struct {
			Value map[string]map[string][]string `json:"value"`
		} `json:"results"`
	}
	if err := s.terminal.output(ctx, &outputs, "output", "-json"); err != nil {
		return err
	}
	addresses := outputs.Results.Value["ada"]["portrait"]
	if len(addresses) == 0 {
		return errors.New("the portrait of ada has no result address")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, addresses[0], http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	picture, err := png.DecodeConfig(response.Body)
	if err != nil {
		return fmt.Errorf("%s is not a PNG: %w", addresses[0], err)
	}
	say("A result is fetched: %s is a PNG of %d x %d. (The action that downloads all of them needs Terraform 1.14.)",
		addresses[0], picture.Width, picture.Height)
	return nil
}
