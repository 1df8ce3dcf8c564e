package mockserver

import (
	"fmt"
	"strings"
)

// Routes returns the names of the endpoints in journal, faults and hooks.
func Routes() []string { return names(routes()) }

func names(table []*route) []string {
	var found []string
	for _, r := range table {
		found = append(found, r.name)
	}
	return append(found, RouteMedia)
}

// faultFields describes the fields of a Fault in JSON.
const faultFields = `  route            an endpoint as listed above; all if left out
  nth              the first matching request to hit, counted from 1
  times            how many requests are hit; if left out, 1 with nth, else all
  status           replaces the reply; the request is not processed
  body             replaces the body; {group_id}, {character_id} and {job_id} are those of the usual reply
  content_type     of body; guessed if left out
  header           headers to add, each with a list of values
  after_work       processes the request before the reply is replaced
  delay            passes before the reply, for example "2s"
  drop_before      closes the connection without processing the request
  drop_after_work  processes the request and closes the connection without a reply
  drop_in_body     closes the connection after half of the body
  truncate         sends only that many bytes of the body; -1 sends half
  mid_upload       hits only uploads, once that many bytes were read
  hold_after_work  only for tests in process, as is
  hold_in_body
`

// Help describes for people the endpoints, the administration and the faults.
func Help() string {
	var text strings.Builder
	text.WriteString("Endpoints, as the journal and faults name them:\n")
	for _, name := range Routes() {
		fmt.Fprintf(&text, "  %s\n", name)
	}
	text.WriteString("\nFurther ones with -extended:\n")
	for _, r := range extendedRoutes() {
		fmt.Fprintf(&text, "  %s\n", r.name)
	}
	text.WriteString("\nAdministration, without a token and without a trace in the journal:\n")
	for _, page := range adminPages {
		fmt.Fprintf(&text, "  %-6s %-20s %s\n", page.method, adminPath+page.path, page.purpose)
	}
	text.WriteString("\nFields of a fault, all optional:\n" + faultFields)
	text.WriteString("\nThe second batch from now on is processed and its reply lost:\n" +
		"  curl -d '{\"route\": \"" + RouteBatch + "\", \"nth\": 2, \"drop_after_work\": true}' " +
		"http://127.0.0.1:8780" + adminPath + "/faults\n")
	return text.String()
}
