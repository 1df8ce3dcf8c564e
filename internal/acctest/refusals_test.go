package acctest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// mostLines is what a refusal that another object was told in full may have, at
// 80 columns.
const mostLines = 6

// blocked is what a service says to every object of an account, at some length.
const blocked = `{"error": "account_blocked", "message": "The account is blocked since its last invoice was not ` +
	`paid. ` +
	`Nothing can be bought or changed until the owner of the organization has paid it, under Settings and Billing. ` +
	`Write to the people who run the service if you think that this is a mistake, and name the invoice."}`

// A refusal that every object gets for one reason is told in full once.
// Fault F18.
func TestRefusalIsToldOnce(t *testing.T) {
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		if of.Makes == "" {
			return // it adopts what exists
		}
		for _, status := range []int{http.StatusPaymentRequired, http.StatusForbidden, http.StatusTooManyRequests} {
			t.Run(fmt.Sprint(status), func(t *testing.T) {
				t.Parallel()
				acctest.Bubble(t, func(t *testing.T) {
					refusesTwo(t, address, of, status)
				})
			})
		}
	})
}

func refusesTwo(t *testing.T, address string, of acctest.Subject, status int) {
	t.Helper()
	w := acctest.NewForSubjects(t).Scenario(t)
	w.Fault(mockserver.Fault{
		Route:  of.Makes,
		Status: status,
		Body:   blocked,
	})
	w.Resource(address, of.Config)
	w.Resource(address+"_too", of.Config)
	said := w.Apply().Diagnostics.Errors()
	check.Equal(t, "errors", len(said), 2)
	short := 0
	for _, failure := range said {
		if strings.Contains(failure.Detail, "the same failure as another object's") {
			short++
			lines := linesAt80(failure.Detail)
			check.True(t, "a short message", lines <= mostLines, lines, failure.Detail)
		}
	}
	check.Equal(t, "errors that are told in short", short, 1)
}

// linesAt80 is how many lines a text has in a terminal of 80 columns, of which
// the CLI takes two.
func linesAt80(text string) int {
	lines := 0
	for paragraph := range strings.Lines(text) {
		lines++
		column := 0
		for word := range strings.FieldsSeq(paragraph) {
			if column > 0 && column+1+len(word) > 78 {
				lines++
				column = 0
			}
			column += 1 + len(word)
		}
	}
	return lines
}
