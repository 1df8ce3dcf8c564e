package main

import (
	"context"
	"fmt"
	"html/template"
	"io"
	"net/http"
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

// download saves the pictures, with a page that shows them: as a user would, if
// the CLI has actions, and else by the addresses in the state.
func (s *story) download(ctx context.Context) error {
	say("The pictures are downloaded.")
	save := s.fetch
	if s.terminal.hasActions(ctx) {
		save = s.invoke
	}
	if err := save(ctx); err != nil {
		return err
	}
	sheet := filepath.Join(s.directory, "index.html")
	if _, err := os.Stat(sheet); err != nil {
		return err
	}
	s.sheet = (&url.URL{Scheme: "file", Path: sheet}).String()
	return nil
}

// invoke downloads the pictures by the provider's action.
func (s *story) invoke(ctx context.Context) error {
	action := filepath.Join(s.terminal.workspace, "download.tf")
	if err := os.WriteFile(action, fmt.Appendf(nil, downloadAction, s.pictures, s.directory), 0o600); err != nil {
		return err
	}
	arguments := append(
		[]string{"-auto-approve", "-invoke=action.mediagen_download_generations.pictures"},
		s.variables...)
	return s.terminal.run(ctx, "apply", arguments...)
}

// contactSheet shows pictures by their files.
var contactSheet = template.Must(template.New("").Parse(`<!doctype html>
<title>Pictures of the demo</title>
<style>figure { display: inline-block; margin: 1rem } img { max-width: 16rem }</style>
{{ range . }}<figure><img src="{{ . }}" alt=""><figcaption>{{ . }}</figcaption></figure>
{{ end }}`))

// fetch downloads the pictures without an action: their addresses are in the
// state.
func (s *story) fetch(ctx context.Context) error {
	if err := os.MkdirAll(s.directory, 0o700); err != nil {
		return err
	}
	addresses, err := s.terminal.resultURLs(ctx)
	if err != nil {
		return err
	}
	var files []string
	for i, address := range addresses {
		file := fmt.Sprintf("%02d%s", i+1, filepath.Ext(address))
		if err := save(ctx, address, filepath.Join(s.directory, file)); err != nil {
			return err
		}
		files = append(files, file)
	}
	page, err := os.Create(filepath.Join(s.directory, "index.html"))
	if err != nil {
		return err
	}
	defer page.Close()
	return contactSheet.Execute(page, files)
}

// save stores what an address has in a file.
func save(ctx context.Context, address, file string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", address, response.Status)
	}
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o600)
}
