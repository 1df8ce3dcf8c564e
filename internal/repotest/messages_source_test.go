package repotest_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

// wantAll: each summary in the source was heard, except those that take more than a table.
func (a *audience) wantAll(t *testing.T) {
	t.Helper()
	written := repotest.Summaries(t)
	check.True(t, "the summaries of the source", len(written) >= 80, len(written))
	for summary, position := range written {
		pattern := repotest.Pattern(summary)
		found := false
		for heard := range a.summaries {
			found = found || pattern.MatchString(heard)
		}
		if why, elsewhere := untold[summary]; found && elsewhere {
			t.Errorf("%q was heard, although %s", summary, why)
		} else if !found && !elsewhere {
			t.Errorf("%s: nothing has provoked %q", position, summary)
		}
	}
	for summary := range untold {
		_, is := written[summary]
		check.True(t, "the source has the summary", is, summary)
	}
}

const (
	ofBug    = "it takes a bug in the provider or the CLI"
	ofCause  = "it is told under the name of its cause"
	ofDomain = "it takes a particular reply, which the domain's own tests give"
)

// untold are the summaries that are not provoked here, and why.
var untold = map[string]string{
	"Unable to Configure Provider":                   ofBug,
	"Unable to Plan Purchase":                        ofCause,
	"Unable to Read Private State":                   ofBug,
	"Address Too Long for the State":                 ofDomain,
	"Approval of Dataset Found Without an Answer":    ofDomain,
	"Approvals of Images Left":                       ofDomain,
	"Approved Image Not Shown":                       ofDomain,
	"Asset List Incomplete":                          ofDomain,
	"Character List Incomplete":                      ofDomain,
	"Character Not Listed":                           ofDomain,
	"Contact Sheet Not Written":                      ofDomain,
	"Different Prompts Were Given One Generation: *": ofDomain,
	"End of * Training Unknown":                      ofDomain,
	"Equal Prompts Share a Generation":               ofDomain,
	"Generation Group Has No Id: *":                  ofDomain,
	"Generations Are in Another Group: *":            ofDomain,
	"Generations May Be Another Key's: *":            ofDomain,
	"Images Could Not Be Deleted: *":                 ofDomain,
	"Imported Generations Left at the Service: *":    ofDomain,
	"Media Other Than Pictures":                      ofDomain,
	"Numbers Beyond Reason: *":                       ofDomain,
	"Prompts Not Submitted":                          ofDomain,
	"A Killed Run Had Bought This: *":                ofDomain,
	"A Killed Run Has Bought This: *":                ofDomain,
	"Another Run Had Bought This: *":                 ofDomain,
	"Another Run Has Bought This: *":                 ofDomain,
	"Purchase Log Is Incomplete":                     ofDomain,
	"Unable to Delete Generation":                    ofDomain,
	"Unable to Delete Superseded Generation":         ofDomain,
	"Unable to Record Downloads":                     ofDomain,
	"Unable to Write Contact Sheet":                  ofDomain,
	"Unrequested Generations in a Reply: *":          ofDomain,
}
