package browser_test

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// shoot has keys, texts, labels and titles that would be markup, links or paths
// if a page took them for more than text.
const shoot = `
terraform {
  required_providers {
    mediagen = { source = "mediagen/mediagen" }
  }
}

variable "light" { default = "Soft morning light" }

locals {
  hostile = "<img src=x onerror=alert(1)>\"'&amp;</p><script>alert(1)</script>"
  groups = {
    portraits = mediagen_generation_group.portraits
    campaign  = mediagen_generation_group.campaign
  }
}

resource "mediagen_generation_group" "portraits" {
  character_id = "char_ada"
  title        = "Portraits"
  labels       = { client = "Acme" }
  prompts = {
    morning = { prompt = "Portrait of Ada, ${var.light}, seen from the window of a library" }
    stage   = { prompt = "On a stage in red light" }
    garden  = { prompt = "In a garden after the rain, half profile" }
  }
}

resource "mediagen_generation_group" "campaign" {
  character_id = "char_ada"
  title        = local.hostile
  labels       = { client = local.hostile }
  prompts = {
    "../50% #1 'a' \"b\"?" = { prompt = local.hostile }
    "javascript:alert(1)"  = { prompt = "At a quay, ${var.light}" }
  }
}

resource "terraform_data" "downloaded" {
  for_each = local.groups
  input    = { for key, generation in each.value.generations : key => generation.id }

  lifecycle {
    action_trigger {
      events  = [before_create, before_update]
      actions = [action.mediagen_download_generations.all[each.key]]
    }
  }
}

action "mediagen_download_generations" "all" {
  for_each = local.groups

  config {
    generation_ids  = { for key, generation in each.value.generations : key => generation.id }
    directory       = "${path.module}/pictures/${each.key}"
    groups          = [each.value]
    gallery         = "${path.module}/pictures"
    keep_superseded = true
    title           = "The shoot of Ada & Lin"
  }
}
`

// The gallery of two directories, after an apply that has changed a picture of
// each: as somebody opens it from a folder.
func TestGallery(t *testing.T) {
	service, err := mockserver.New(mockserver.Options{GenerationTime: -1, Balance: 1000})
	must(t, err)
	service.AddCharacter(mockserver.CharacterSeed{ID: "char_ada", Name: "Character 1"})
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	cli := newCLI(t, server.URL)
	cli.directory = t.TempDir()
	must(t, os.WriteFile(filepath.Join(cli.directory, "main.tf"), []byte(shoot), 0o600))
	cli.start("apply")()
	cli.settings = append(cli.settings, "TF_VAR_light=late summer evening")
	cli.start("apply")()

	page := openPage(t, "gallery", "file://"+filepath.Join(cli.directory, "pictures", "index.html"))
	page.wait("all pictures, and those that were superseded", settled+
		` && document.images.length === 7 && document.querySelectorAll(".was img").length === 2`)
	page.screenshots("page")
	page.want("groups", `document.querySelectorAll("section").length === 2`)
	page.want("what was changed is first",
		`[...document.querySelectorAll("section")].every((s) => s.querySelector("article .was"))`)
	page.want("what was superseded is beside its successor", `[...document.querySelectorAll("article")].some((a) =>
		a.querySelector("h3").textContent === "morning" && a.querySelector(".now").textContent.includes("evening") &&
		a.querySelector(".was").textContent.includes("morning light"))`)
	const hostile = `<img src=x onerror=alert(1)>"'&amp;</p><script>alert(1)</script>`
	page.want("hostile texts are texts", `document.scripts.length === 0 &&
		[...document.querySelectorAll("h2")].some((h) => h.textContent === `+strconv.Quote(hostile)+`) &&
		[...document.querySelectorAll(".text")].some((p) => p.textContent === `+strconv.Quote(hostile)+`)`)
	page.want("links lead to files of the folder", `[...document.links].every((a) =>
		a.href.startsWith(new URL("./", location.href).href) && !a.search && !a.hash)`)
	page.do("follow a picture's link", chromedp.Click(`.was a`))
	page.wait("the picture by itself", `document.querySelector("img").naturalWidth > 0`)
	page.checkConsole("")
}
