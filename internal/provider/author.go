package provider

import (
	"cmp"
	"net/url"
	"os"
	"os/user"
	"strconv"
	"strings"
	"unicode"

	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// longestOfAuthor bounds, in characters, each part of an entry that describes
// its author.
const longestOfAuthor = 256

// ciSystem names the variables by which a CI system identifies a job and the
// person who started it. If one of the variables is not set, a different system
// runs this process.
type ciSystem struct {
	only    string   // a variable of this system alone, if other systems may set the address, too
	address string   // the variable of an address, of the job or of the system
	path    string   // the path of the job below the address, with variables
	number  string   // the variable of a number at the end of the address
	actors  []string // variables of the person, the best first
}

// ciSystems are tried in this order.
var ciSystems = []ciSystem{
	{
		address: "GITHUB_SERVER_URL",
		path:    "/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID/attempts/$GITHUB_RUN_ATTEMPT",
		actors:  []string{"GITHUB_TRIGGERING_ACTOR", "GITHUB_ACTOR"},
	},
	{
		address: "CI_JOB_URL",
		actors:  []string{"GITLAB_USER_LOGIN"},
	},
	{
		address: hcpAddress, // HCP Terraform names no person
		path:    "/app/$TFC_ORGANIZATION/workspaces/$TFC_WORKSPACE_NAME/runs/$TFC_RUN_ID",
	},
	{
		only:    "ATLANTIS_TERRAFORM_VERSION",
		address: "PULL_URL",
		actors:  []string{"USER_NAME"},
	},
	{
		only:    "JENKINS_URL",
		address: "BUILD_URL",
		actors:  []string{"BUILD_USER_ID"}, // set by a plugin
	},
	{
		address: "SYSTEM_TEAMFOUNDATIONCOLLECTIONURI",
		path:    "/$SYSTEM_TEAMPROJECT/_build/results",
		number:  "BUILD_BUILDID",
		actors:  []string{"BUILD_REQUESTEDFOR"},
	},
}

// hcpAddress stands for the address of HCP Terraform, which no variable
// contains. The address of Terraform Enterprise is the host in the CLI's own
// variable.
const hcpAddress = "the address of HCP Terraform"

// author says who runs this process, and where.
func (p *mediagen) author() purchases.Author {
	name, host := p.Machine()
	name = cmp.Or(name, p.Environment("USER"))
	for _, system := range ciSystems {
		job := system.job(p.Environment)
		if job != "" {
			name = cmp.Or(system.actor(p.Environment), name)
			return purchases.Author{
				User: printable(name),
				Host: printable(host),
				Job:  job,
			}
		}
	}
	return purchases.Author{User: printable(name), Host: printable(host)}
}

// thisMachine returns the user and the host from the operating system. A
// container may know neither.
func thisMachine() (name, host string) {
	current, err := user.Current()
	if err == nil {
		name = current.Username
	}
	host, _ = os.Hostname()
	return name, host
}

// job returns the address of the job that runs this process; empty if the
// process does not run in this system.
func (c ciSystem) job(environment func(variable string) string) string {
	if c.only != "" && environment(c.only) == "" {
		return ""
	}
	isWhole := true
	path := os.Expand(c.path, func(variable string) string {
		name := ciVariable(environment, variable)
		isWhole = isWhole && isName(name)
		return name
	})
	base := plainAddress(ciVariable(environment, c.address))
	if base == "" || !isWhole {
		return ""
	}
	address := plainAddress(base + path)
	if c.number == "" || address == "" {
		return address
	}
	number, err := strconv.ParseUint(environment(c.number), 10, 64)
	if err != nil {
		return ""
	}
	return address + "?buildId=" + strconv.FormatUint(number, 10)
}

// ciVariable returns a variable of a CI system. HCP Terraform gives its
// organization only as a part of a slug.
func ciVariable(environment func(variable string) string, variable string) string {
	organization, workspace, _ := strings.Cut(environment("TFC_WORKSPACE_SLUG"), "/")
	switch variable {
	case "TFC_ORGANIZATION":
		return cmp.Or(environment(variable), organization)
	case "TFC_WORKSPACE_NAME":
		return cmp.Or(environment(variable), workspace)
	case hcpAddress:
		host := cmp.Or(environment("TF_CLOUD_HOSTNAME"), "app.terraform.io")
		if !isName(host) {
			return ""
		}
		return "https://" + host
	default:
		return environment(variable)
	}
}

func (c ciSystem) actor(environment func(variable string) string) string {
	for _, variable := range c.actors {
		if name := printable(environment(variable)); name != "" {
			return name
		}
	}
	return ""
}

// isName reports whether a text may be a part of a path. Other characters could
// end the path of an address, or contain a credential before its host.
func isName(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" ./:_-", r)
	})
}

// plainAddress returns a web address without its user info, query and fragment,
// which may be secret. It is empty if the text is no address that can be shown.
func plainAddress(text string) string {
	address, err := url.Parse(strings.TrimSpace(text))
	if err != nil || !isName(address.Hostname()) || address.Scheme != "https" && address.Scheme != "http" {
		return ""
	}
	address.User = nil
	address.RawQuery = ""
	address.ForceQuery = false
	address.Fragment = ""
	address.RawFragment = ""
	plain := address.JoinPath().String() // removes doubled slashes
	if plain != printable(plain) {
		return ""
	}
	return plain
}

// printable returns a text without control characters, cut if it is too long.
func printable(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, text)
	text = strings.TrimSpace(text)
	runes := []rune(text)
	if len(runes) > longestOfAuthor {
		return string(runes[:longestOfAuthor])
	}
	return text
}
