package generation_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// showsOthers makes a list of a group show its generations changed, and in
// place of each address those that are made of it.
func (s scenario) showsOthers(changed shown, others func(address string) []any) {
	s.Fault(mockserver.Fault{Route: mockserver.RouteGroup, Times: 1_000_000, Rewrite: func(reply shown) {
		for _, listed := range reply["generations"].([]any) {
			generation := listed.(shown)
			maps.Copy(generation, changed)
			addresses := []any{}
			for _, address := range generation["result_urls"].([]any) {
				addresses = append(addresses, others(address.(string))...)
			}
			generation["result_urls"] = addresses
		}
	}})
}

// thumbnail is the address of a smaller picture, at another host.
func thumbnail(address string) []any {
	return []any{strings.Replace(address, "://", "://thumbnails.", 1)}
}

// Whatever a list shows of what has had results, the state keeps what statuses
// have shown, and plans are empty. Statuses are read only where results may not
// be final and the list shows others, or where it shows more.
// Fault F30.
func TestExtendedReads_listReplacesNoResults(t *testing.T) {
	t.Parallel()
	words := []string{"Rendered", "", "processing", "completed", "cancelled", "failed"}
	progresses := []any{100, 40, nil, "missing"}
	lists := map[string]func(address string) []any{
		"the same":   func(address string) []any { return []any{address} },
		"thumbnails": thumbnail,
		"signed":     func(address string) []any { return []any{address + "?signature=1"} },
		"more":       func(address string) []any { return append(thumbnail(address), address) },
		"none":       func(string) []any { return []any{} },
	}
	for _, word := range words {
		for _, progress := range progresses {
			works := word == "processing" && progress == 40
			if works {
				continue // it has not ended: see TestGroup_endIsEarned
			}
			isWhole := progress == 100
			isFinal := word == "completed" || isWhole && word != "failed"
			for name, others := range lists {
				t.Run(fmt.Sprintf("%s at %v, %s", word, progress, name), func(t *testing.T) {
					t.Parallel()
					s := newExtended(t)
					status := shown{"status": word, "progress": progress}
					s.Fault(mockserver.Fault{
						Route: mockserver.RouteStatus,
						Times: 1_000_000,
						Rewrite: func(reply shown) {
							if len(reply["result_urls"].([]any)) == 0 {
								return // it has not ended yet
							}
							maps.Copy(reply, status)
							if progress == "missing" {
								delete(reply, "progress")
							}
						},
					})
					s.showsOthers(shown{"status": word}, others)
					s.applies(map[string]string{"a": "A", "b": "B"})
					kept := s.Value(groupAddress, "result_urls")
					shownFirst := core.Object{"a": s.resultOf(first), "b": s.resultOf(second)}
					check.Equal(t, "the results", kept, any(shownFirst))
					s.ResetJournal()
					s.Plan().Must().WantEmpty()
					s.WantCount(t, mockserver.RouteGroup, 1)
					isRead := name == "none" || word != "processing" && word != "failed" &&
						(name == "more" || name == "thumbnails" && !isFinal)
					s.WantCount(t, mockserver.RouteStatus, map[bool]int{true: 2}[isRead])
					s.Refresh().Must()
					s.Plan().Must().WantEmpty()
					check.Equal(t, "the results", s.Value(groupAddress, "result_urls"), kept)
					s.WantCount(t, mockserver.RouteBatch, 0)
				})
			}
		}
	}
}

// The first results of what nobody has awaited are those of a status, unless a
// word of success in the list makes them final.
// Fault F30.
func TestExtendedReads_firstResultsOfAnUnknownWord(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]int{"Rendered": 2, "completed": 0}, func(t *testing.T, statuses int) {
		s := newExtended(t)
		word := map[int]string{2: "Rendered", 0: "completed"}[statuses]
		s.applies(map[string]string{"a": "A", "b": "B"}, core.Object{"wait_for_completion": false})
		s.Clock.Advance(time.Hour)
		if statuses > 0 {
			s.Fault(mockserver.Fault{
				Route:   mockserver.RouteStatus,
				Times:   1_000_000,
				Rewrite: func(reply shown) { reply["status"] = word },
			})
		}
		s.showsOthers(shown{"status": word}, thumbnail)
		s.ResetJournal()
		s.Refresh().Must()
		s.WantCount(t, mockserver.RouteStatus, statuses)
		want := s.resultOf(first)
		if statuses == 0 {
			want = thumbnail(want[0].(string))
		}
		s.Want(groupAddress, core.Object{`result_urls["a"]`: want, "succeeded_count": 2})
		s.ResetJournal()
		s.Plan().Must().WantEmpty()
		s.WantCount(t, mockserver.RouteStatus, 0)
	})
}

// Results that full progress made final stay, whatever host or word a status
// shows later. Without extended reads. Fault F34.
func TestGroup_fullProgressIsFinal(t *testing.T) {
	t.Parallel()
	elsewhere := []any{"https://cdn.example/moved/1.webp"}
	check.Each(t, map[string]struct {
		first, later shown
		keeps        bool
	}{
		"another host":          {shown{"status": "Rendered", "progress": 100}, shown{"status": "Rendered"}, true},
		"another word":          {shown{"status": "Rendered", "progress": 100}, shown{"status": "Stored"}, true},
		"a word of success":     {shown{"status": "Rendered", "progress": 100}, shown{"status": "done"}, true},
		"no progress later":     {shown{"status": "Rendered", "progress": 100}, shown{"progress": nil}, true},
		"no word":               {shown{"status": nil, "progress": 100}, shown{"status": "Stored"}, true},
		"a running word":        {shown{"status": "processing", "progress": 100}, shown{"status": "processing"}, true},
		"work that ends":        {shown{"status": "finalizing", "progress": 100}, shown{"status": "done"}, false},
		"progress below":        {shown{"status": "Rendered", "progress": 99}, shown{"status": "Rendered"}, false},
		"no progress":           {shown{"status": "Rendered", "progress": nil}, shown{"status": "Rendered"}, false},
		"a failure that yields": {shown{"status": "failed", "progress": 100}, shown{"status": "done"}, false},
	}, func(t *testing.T, test struct {
		first, later shown
		keeps        bool
	},
	) {
		s := newScenario(t, func(o *mockserver.Options) { o.GenerationTime = -1 })
		s.says(test.first)
		s.applies(map[string]string{"x": "X"})
		s.ClearFaults()
		later := shown{"result_urls": elsewhere}
		maps.Copy(later, test.later)
		s.says(later)
		s.Refresh().Must()
		want := s.resultOf(first)
		if !test.keeps {
			want = elsewhere
		}
		s.wantAddresses(core.Object{"x": want})
		s.Plan().Must().WantEmpty()
		s.WantCount(t, mockserver.RouteBatch, 1)
	})
}

// A word that says failure is a failure at any progress, and nothing at full
// progress is a success without results: neither is final.
func TestGroup_fullProgressWithoutResults(t *testing.T) {
	t.Parallel()
	for word, succeeds := range map[string]bool{"failed": false, "Rendered": true} {
		s := newScenario(t, func(o *mockserver.Options) { o.GenerationTime = -1 })
		s.says(shown{"status": word, "progress": 100, "result_urls": none})
		s.applies(map[string]string{"x": "X"})
		s.Want(groupAddress, core.Object{`generations["x"].succeeded`: succeeds})
		s.ClearFaults()
		s.Refresh().Must()
		s.wantAddresses(core.Object{"x": s.resultOf(first)})
		s.WantCount(t, mockserver.RouteBatch, 1)
	}
}
