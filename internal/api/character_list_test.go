package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// directory serves n characters, ch0 to ch<n-1>, at most most a page.
func directory(n, most int) answer {
	return func(w http.ResponseWriter, r *http.Request, _ int) {
		limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		limit = min(limit, most)
		var items []string
		for i := offset; i < min(offset+limit, n); i++ {
			items = append(items, fmt.Sprintf(`{"character_id":"ch%d"}`, i))
		}
		respond(w, 200, page(items, limit, offset, offset+limit < n))
	}
}

func page(items []string, limit, offset int, more bool) string {
	return fmt.Sprintf(`{"characters":[%s],"pagination":{"limit":%d,"offset":%d,"returned":%d,"has_more":%t},"filters":{}}`,
		strings.Join(items, ","), limit, offset, len(items), more)
}

func TestAllResourcesShareOneLazyWalk(t *testing.T) {
	t.Parallel()
	s := newService(t, directory(1000, 100))
	client := s.client(t)
	if found, _, err := client.FindCharacter(t.Context(), "ch150"); err != nil || found == nil || len(s.Requests()) != 2 {
		t.Errorf("%v, %v, %d requests for the second page", found, err, len(s.Requests()))
	}
	var group sync.WaitGroup
	for i := range 1000 {
		group.Go(func() {
			if found, _, err := client.FindCharacter(t.Context(), fmt.Sprintf("ch%d", i)); err != nil || found == nil {
				t.Errorf("ch%d: %v, %v", i, found, err)
			}
		})
	}
	group.Wait()
	found, complete, err := client.FindCharacter(t.Context(), "none")
	check.True(t, "a missing character", found == nil && complete && err == nil, found, complete, err)
	check.Equal(t, "requests", len(s.Requests()), 10)
	check.Equal(t, "exchanges", s.Exchanges(), 1)
}

// oddLists are lists and their results: what is found, whether the list is complete, and
// what an iteration over all ends with.
var oddLists = map[string]struct {
	answer   answer
	ids      int
	complete bool
	short    bool
	requests int
}{
	"one page":                  {directory(3, 100), 3, true, false, 1},
	"empty":                     {directory(0, 100), 0, true, false, 1},
	"exactly one page":          {directory(100, 100), 100, true, false, 1},
	"fewer a page than asked":   {directory(45, 20), 45, true, false, 3},
	"has_more without progress": {always(200, page([]string{`{"character_id":"a"}`}, 100, 0, true)), 1, false, true, 2},
	"has_more on empty pages":   {always(200, page(nil, 100, 0, true)), 0, false, true, 1},
	"fewer than returned":       {always(200, `{"characters":[{"character_id":"a"}],"pagination":{"returned":5,"has_more":false}}`), 1, false, true, 1},
	"without an id":             {always(200, page([]string{`{"name":"x"}`}, 100, 0, false)), 0, false, true, 1},
	"not an object":             {always(200, page([]string{`{"character_id":"a"}`, `"b"`}, 100, 0, false)), 1, false, true, 1},
	"no list":                   {always(200, `{"pagination":{"has_more":false}}`), 0, false, true, 1},
	"a null list":               {always(200, `{"characters":null,"pagination":{"has_more":false}}`), 0, true, false, 1},
	"no pagination": {func(w http.ResponseWriter, r *http.Request, n int) {
		respond(w, 200, []string{`{"characters":[{"character_id":"a"}]}`, `{"characters":[{"character_id":"b"}]}`, `{"characters":[]}`}[min(n, 3)-1])
	}, 2, true, false, 3},
	"has_more missing, less than the limit": {always(200, `{"characters":[{"character_id":"a"}],"pagination":{"limit":100}}`), 1, true, false, 1},
	"an item moves to the next page": {func(w http.ResponseWriter, _ *http.Request, n int) {
		respond(w, 200, []string{page([]string{`{"character_id":"a"}`, `{"character_id":"b"}`}, 2, 0, true), page([]string{`{"character_id":"b"}`, `{"character_id":"c"}`}, 2, 2, false)}[min(n, 2)-1])
	}, 3, false, false, 2},
	"numbers as texts": {always(200, `{"characters":[{"character_id":7}],"pagination":{"limit":"100","returned":"1.0","has_more":"false"}}`), 1, true, false, 1},
}

// An iteration over all ends with an error if something is missing.
// Fault F9.
func TestOddListsAreNeverComplete(t *testing.T) {
	t.Parallel()
	for name, test := range oddLists {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newService(t, test.answer)
			found, complete, err := s.client(t).FindCharacter(t.Context(), "none")
			if found != nil || complete != test.complete || err != nil || len(s.Requests()) != test.requests {
				t.Errorf("%v, complete %t, %v, %d requests", found, complete, err, len(s.Requests()))
			}
			var ids []string
			var last error
			for character, err := range newService(t, test.answer).client(t).Characters(t.Context()) {
				last = err
				if err == nil {
					ids = append(ids, character.ID)
				}
			}
			slices.Sort(ids)
			if len(ids) != test.ids || len(slices.Compact(ids)) != len(ids) || errors.Is(last, api.ErrIncompleteList) != test.short || last != nil != test.short {
				t.Errorf("%v, %v", ids, last)
			}
		})
	}
}

// Fault F9.
func TestAFailedPageIsFetchedAgainByTheNextCaller(t *testing.T) {
	t.Parallel()
	broken := true
	serve := directory(500, 100)
	s := newService(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if broken && r.URL.Query().Get("offset") == "200" {
			status(400)(w, r, n)
			return
		}
		serve(w, r, n)
	})
	client := s.client(t)
	if found, complete, err := client.FindCharacter(t.Context(), "ch450"); found != nil || complete || err == nil {
		t.Errorf("%v, %t, %v", found, complete, err)
	}
	broken = false
	if found, _, err := client.FindCharacter(t.Context(), "ch450"); found == nil || err != nil {
		t.Errorf("%v, %v", found, err)
	}
	var offsets []string
	for _, request := range s.Requests() {
		offsets = append(offsets, request.query.Get("offset"))
	}
	check.True(t, "offsets", slices.Equal(offsets, []string{"0", "100", "200", "200", "300", "400"}), offsets)
}

func TestACancelledCallerLeavesTheWalkToTheOthers(t *testing.T) {
	t.Parallel()
	arrived, serve := make(chan struct{}, 1), directory(300, 100)
	s := newService(t, nil)
	s.onRaw(func(w http.ResponseWriter, r *http.Request) {
		select {
		case arrived <- struct{}{}:
			<-r.Context().Done()
		default:
			serve(w, r, 0)
		}
	})
	client := s.client(t)
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() {
		_, _, err := client.FindCharacter(ctx, "ch1")
		gone <- err
	}()
	for len(arrived) == 0 {
		select {
		case err := <-gone:
			t.Fatal(err)
		default:
		}
	}
	impatient, cancelImpatient := context.WithCancel(t.Context())
	cancelImpatient()
	if _, _, err := client.FindCharacter(impatient, "ch2"); !wait.IsCanceled(err) {
		t.Errorf("waiting for one's turn ends with the context: %v", err)
	}
	cancel()
	if err := <-gone; !wait.IsCanceled(err) {
		t.Errorf("error: %v", err)
	}
	if found, _, err := client.FindCharacter(t.Context(), "ch250"); err != nil || found == nil {
		t.Errorf("%v, %v", found, err)
	}
}

// A page that arrives although its caller has left counts once, also if the next
// caller has read it meanwhile: the list stays whole.
// Fault F9.
func TestAPageThatTwoHaveReadCountsOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var pages atomic.Int64
		client := withoutSocket(t, func(r *http.Request) (*http.Response, error) {
			return jsonResponse(r, 200, `{"accessToken":"token"}`), nil
		}, func(r *http.Request) (*http.Response, error) {
			if pages.Add(1) == 1 {
				time.Sleep(2 * time.Second) // whatever becomes of its caller
			}
			return jsonResponse(r, 200, page([]string{`{"character_id":"ch0"}`}, 100, 0, false)), nil
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, _, err := client.FindCharacter(ctx, "ch0"); !wait.IsCanceled(err) {
			t.Errorf("the one who left: %v", err)
		}
		for range 2 {
			if found, complete, err := client.FindCharacter(t.Context(), "nobody"); found != nil || !complete || err != nil || pages.Load() != 2 {
				t.Errorf("%v, complete %t, %v, %d pages", found, complete, err, pages.Load())
			}
			time.Sleep(2 * time.Second)
		}
	})
}

func TestAnUpdateIsSeenByTheSharedWalk(t *testing.T) {
	t.Parallel()
	serve := directory(150, 100)
	s := newService(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if r.Method == http.MethodPut {
			respond(w, 200, `{"character_id":"ch120","name":"new","status":"active"}`)
			return
		}
		serve(w, r, n)
	})
	client := s.client(t)
	if _, _, err := client.FindCharacter(t.Context(), "ch0"); err != nil {
		t.Fatal(err)
	}
	check.Must(t, check.ErrorOf(client.UpdateCharacter(t.Context(), "ch120", api.CharacterUpdate{Name: "new"})))
	put := s.Requests()[1]
	if put.path != "/characters/ch120" || string(put.body) != `{"name":"new","description":""}` || put.header.Get("Content-Type") != "application/json" {
		t.Errorf("sent %s %s", put.path, put.body)
	}
	for _, id := range []string{"ch120", "ch149", "ch120"} {
		found, _, err := client.FindCharacter(t.Context(), id)
		if err != nil || found == nil || id == "ch120" && deref(found.Name) != "new" {
			t.Errorf("%s: %v, %v", id, found, err)
		}
	}
	check.Equal(t, "requests", len(s.Requests()), 3)
	client.RefreshCharacters()
	if found, _, _ := client.FindCharacter(t.Context(), "ch1"); found == nil || len(s.Requests()) != 4 {
		t.Errorf("a list from before a change was used: %d requests", len(s.Requests()))
	}
	client.RefreshCharacters()
	if _, _, err := client.FindCharacter(t.Context(), "ch2"); err != nil || len(s.Requests()) != 4 {
		t.Errorf("a list from after the change was not used: %d requests", len(s.Requests()))
	}
}

func TestAllCharactersIsOnePageOfTheSharedWalk(t *testing.T) {
	t.Parallel()
	s := newService(t, directory(250, 100))
	client := s.client(t)
	for range 2 {
		all, err := client.AllCharacters(t.Context())
		if err != nil || len(all.Characters) != 250 || all.Characters[249].ID != "ch249" || deref(all.Pagination.Returned) != int64(250) {
			t.Errorf("%v", err)
		}
	}
	check.Equal(t, "requests", len(s.Requests()), 3)
	s = newService(t, oddLists["has_more without progress"].answer)
	if _, err := s.client(t).AllCharacters(t.Context()); !errors.Is(err, api.ErrIncompleteList) {
		t.Errorf("error: %v", err)
	}
}

func TestAListFromDuringAChangeIsNotUsedAfterIt(t *testing.T) {
	t.Parallel()
	for name, list := range map[string]func(*api.Client) error{
		"assets": func(c *api.Client) error { _, err := c.AssetsOnce(t.Context(), "ch1"); return err },
		"characters": func(c *api.Client) error {
			c.RefreshCharacters()
			_, _, err := c.FindCharacter(t.Context(), "ch1")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var client *api.Client
			lists := 0
			s := newService(t, func(w http.ResponseWriter, r *http.Request, _ int) {
				if r.Method == http.MethodGet {
					lists++
				} else {
					check.NoError(t, list(client))
				}
				respond(w, 200, `{"assets":[],"characters":[],"pagination":{"has_more":false},"success":true,"job_id":"j"}`)
			})
			client = s.client(t)
			check.Must(t, check.ErrorOf(client.StartWork(t.Context(), api.BodyTraining.Order("ch1", nil))))
			for range 2 {
				if err := list(client); err != nil || lists != 2 {
					t.Errorf("%v, %d lists", err, lists)
				}
			}
		})
	}
}

// shapes are services whose pages are not what was asked for: which rows a page
// from offset on has, and whether the list proves that there are no others.
var shapes = map[string]struct {
	rows     func(offset, n int) []int
	complete bool
}{
	"a row too many":                {func(offset, n int) []int { return between(offset, offset+101, n) }, false},
	"a row too many, repeated":      {func(offset, n int) []int { return repeated(between(offset, offset+100, n), 40) }, false},
	"repeated at the end":           {func(offset, n int) []int { return repeated(between(offset, offset+100, n), 99) }, true},
	"repeated in place of another":  {func(offset, n int) []int { return repeated(between(offset, offset+99, n), 40) }, false},
	"one more on top":               {func(offset, n int) []int { return append([]int{n - 1}, between(offset, offset+100, n-1)...) }, false},
	"every row twice":               {twice, false},
	"the row before":                {func(offset, n int) []int { return between(max(offset-1, 0), offset+100, n) }, false},
	"the row before and one behind": {func(offset, n int) []int { return between(max(offset-1, 0), offset+101, n) }, false},
}

func between(from, to, n int) (rows []int) {
	for i := from; i < min(to, n); i++ {
		rows = append(rows, i)
	}
	return rows
}

// repeated has the row at the place twice, if there is one.
func repeated(rows []int, place int) []int {
	if place >= len(rows) {
		return rows
	}
	return slices.Insert(rows, place, rows[place])
}

func twice(offset, n int) (rows []int) {
	for i := offset; i < min(offset+100, 2*n); i++ {
		rows = append(rows, i/2)
	}
	return rows
}

// A server may return fewer entries than asked for: the entries of a page are
// not positions in the list.
// Fault F25.
func TestPagesOfAnotherLength(t *testing.T) {
	t.Parallel()
	for name, shape := range shapes {
		for _, n := range []int{99, 100, 101, 130, 150, 199, 200, 201, 250, 1000} {
			t.Run(fmt.Sprint(name, " of ", n), func(t *testing.T) {
				t.Parallel()
				s := newService(t, func(w http.ResponseWriter, r *http.Request, _ int) {
					offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
					rows, items := shape.rows(offset, n), []string{}
					for _, row := range rows {
						items = append(items, fmt.Sprintf(`{"character_id":"ch%d"}`, row))
					}
					more := len(rows) > 0 && rows[len(rows)-1] < n-1
					if name == "one more on top" {
						more = offset+100 < n-1
					}
					respond(w, 200, page(items, 100, offset, more))
				})
				client := s.client(t)
				all, err := client.AllCharacters(t.Context())
				if err != nil || len(all.Characters) != n {
					t.Fatalf("%d characters, %v", len(all.Characters), err)
				}
				ids := map[string]bool{}
				for _, character := range all.Characters {
					ids[character.ID] = true
				}
				check.Equal(t, "characters", len(ids), n)
				_, complete, _ := client.FindCharacter(t.Context(), "none")
				if complete && !shape.complete && n == 150 || !complete && shape.complete {
					t.Errorf("complete: %t", complete)
				}
				if most := n/100 + 1; shape.complete && len(s.Requests()) > most {
					t.Errorf("%d requests, want %d at most", len(s.Requests()), most)
				}
			})
		}
	}
}
