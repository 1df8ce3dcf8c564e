package repotest_test

import (
	"encoding/json"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

const (
	onGitHub    = "https://github.com/mediagen/terraform-provider-mediagen/blob/main/docs/"
	onTerraform = "https://registry.terraform.io/providers/mediagen/mediagen/latest/docs"
	onOpenTofu  = "https://search.opentofu.org/provider/mediagen/mediagen/latest"
)

// A host shows the pages of docs/ under addresses of its own, and rewrites the
// links in them by rules of its own. What it leaves as it is, the reader's
// browser resolves against the address of the page.
type host struct {
	address func(page string) string // of a page of docs/ such as guides/money.md
	rewrite func(link string) string
}

// The sources of the rules:
//
//   - Terraform's registry serves the overview at …/latest/docs without a slash
//     at the end, so that a relative link of it loses a level:
//     BerriAI/terraform-provider-litellm#65. It strips the .md of a relative
//     link: cloudflare/terraform-provider-cloudflare#7218. A link that begins
//     with a slash begins at the host: elastic/terraform-provider-elasticstack#3708.
//   - OpenTofu's registry strips the .md of a link that has no slash, and leaves
//     others alone: opentofu/registry-ui, frontend, docsProcessor.ts. The address
//     of the overview ends with the version, and a page's is docs/TYPE/NAME
//     (router.tsx). The names of the types are in backendv2, storage/db.go.
var hosts = map[string]host{
	"GitHub": {
		address: func(page string) string { return onGitHub + page },
		rewrite: func(link string) string { return link },
	},
	"registry.terraform.io": {
		address: func(page string) string {
			return strings.TrimSuffix(onTerraform+"/"+strings.TrimSuffix(page, ".md"), "/index")
		},
		rewrite: withoutExtension,
	},
	"search.opentofu.org": {
		address: func(page string) string {
			if page == "index.md" {
				return onOpenTofu
			}
			kind, name, _ := strings.Cut(strings.TrimSuffix(page, ".md"), "/")
			switch kind {
			case "data-sources":
				kind = "datasources"
			case "ephemeral-resources":
				kind = "ephemeral"
			case "list-resources":
				kind = "listresources"
			}
			return onOpenTofu + "/docs/" + kind + "/" + name
		},
		rewrite: func(link string) string {
			if strings.Contains(link, "/") {
				return link
			}
			return withoutExtension(link)
		},
	},
}

func withoutExtension(link string) string {
	path, fragment, _ := strings.Cut(link, "#")
	path = strings.TrimSuffix(path, ".md")
	if fragment == "" {
		return path
	}
	return path + "#" + fragment
}

// arrivals returns which page is at an address. From every host a link may lead
// to Terraform's registry, which has each page.
func (h host) arrivals(pages []string) map[string]string {
	found := map[string]string{}
	for _, page := range pages {
		found[hosts["registry.terraform.io"].address(page)] = page
		found[h.address(page)] = page
	}
	return found
}

// Links between pages of docs/ arrive on each host that shows them, at a heading
// that exists. A bare name of a page in the same directory arrives everywhere;
// from the overview, and from one directory into another, only an address of
// Terraform's registry does.
func TestDocs_linksArriveOnEachHost(t *testing.T) {
	t.Parallel()
	content := map[string]string{}
	for _, file := range append(glob(t, root, "docs", "*", "*.md"), filepath.Join(root, "docs", "index.md")) {
		page, err := filepath.Rel(filepath.Join(root, "docs"), file)
		check.Must(t, err)
		content[filepath.ToSlash(page)] = readFile(t, file)
	}
	pages := slices.Sorted(maps.Keys(content))
	for name, host := range hosts {
		arrivals := host.arrivals(pages)
		links := 0
		dead := 0
		for _, page := range pages {
			for _, link := range internalLinks(content[page]) {
				links++
				target, fragment := follow(t, host.address(page), host.rewrite(link))
				arrived := arrivals[target]
				if arrived == "" || fragment != "" && !slices.Contains(anchors(content[arrived]), fragment) {
					dead++
					t.Errorf("on %s, the link %s of %s arrives nowhere: %s", name, link, page, target)
				}
			}
		}
		check.True(t, name+": links are found", links > 50, links)
		check.Equal(t, name+": dead links", dead, 0)
	}
}

// internalLinks are a page's links to pages of docs/. Images and other addresses
// are not among them.
func internalLinks(page string) (found []string) {
	for _, link := range regexp.MustCompile(`[^!]\[[^][]*\]\(([^)\s]+)\)`).FindAllStringSubmatch(prose(page), -1) {
		isRelative := !strings.Contains(link[1], ":")
		if isRelative || strings.HasPrefix(link[1], onTerraform) {
			found = append(found, link[1])
		}
	}
	return found
}

func follow(t *testing.T, page, link string) (target, fragment string) {
	t.Helper()
	base, err := url.Parse(page)
	check.Must(t, err)
	resolved, err := base.Parse(link)
	check.Must(t, err)
	fragment = resolved.Fragment
	resolved.Fragment = ""
	return resolved.String(), fragment
}

// Editors and Pulumi show the descriptions of the schema outside the pages, where
// a relative link leads nowhere.
func TestSchema_hasNoLinks(t *testing.T) {
	t.Parallel()
	schemas := acctest.Schemas(t)
	text, err := json.Marshal(schemas)
	check.Must(t, err)
	check.Contains(t, "the descriptions", string(text), "Address of the service with its version")
	for _, link := range regexp.MustCompile(`\[[^][]+\]\([^)]*\)`).FindAllString(string(text), -1) {
		t.Errorf("a description has a link: %s", link)
	}
}
