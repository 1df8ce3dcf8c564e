package evidence_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// directory serves n characters, ch0 to ch<n-1>, at most most a page.
func directory(n, most int) stub.Answer {
	return func(w http.ResponseWriter, r *http.Request, _ int) {
		limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		limit = min(limit, most)
		var items []string
		for i := offset; i < min(offset+limit, n); i++ {
			items = append(items, fmt.Sprintf(`{"character_id":"ch%d"}`, i))
		}
		stub.Respond(w, 200, page(items, limit, offset, offset+limit < n))
	}
}

func page(items []string, limit, offset int, more bool) string {
	return fmt.Sprintf(
		`{"characters":[%s],"pagination":{"limit":%d,"offset":%d,"returned":%d,"has_more":%t},"filters":{}}`,
		strings.Join(items, ","),
		limit,
		offset,
		len(items),
		more,
	)
}

func TestAllResourcesShareOneLazyWalk(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, directory(1000, 100))
	client := s.Client(t)
	found, _, err := client.Characters.Find(t.Context(), "ch150")
	check.True(
		t,
		"it is on the second page",
		err == nil && found != nil && len(s.Requests()) == 2,
		found,
		err,
		len(s.Requests()),
	)
	check.Times(1000, func(i int) {
		found, _, err := client.Characters.Find(t.Context(), fmt.Sprintf("ch%d", i))
		check.True(t, "found", err == nil && found != nil, i, found, err)
	})
	found, complete, err := client.Characters.Find(t.Context(), "none")
	check.True(t, "a missing character", found == nil && complete && err == nil, found, complete, err)
	check.Equal(t, "requests", len(s.Requests()), 10)
	check.Equal(t, "exchanges", s.Exchanges(), 1)
}

// oddLists are lists: what is found, whether all is, and what an iteration over
// all ends with.
var oddLists = map[string]struct {
	answer   stub.Answer
	ids      int
	complete bool
	short    bool
	requests int
}{
	"one page":                {directory(3, 100), 3, true, false, 1},
	"empty":                   {directory(0, 100), 0, true, false, 1},
	"exactly one page":        {directory(100, 100), 100, true, false, 1},
	"fewer a page than asked": {directory(45, 20), 45, true, false, 3},
	"has_more without progress": {
		stub.Always(200, page([]string{`{"character_id":"a"}`}, 100, 0, true)),
		1,
		false,
		true,
		2,
	},
	"has_more on empty pages": {stub.Always(200, page(nil, 100, 0, true)), 0, false, true, 1},
	"fewer than returned": {
		stub.Always(200, `{"characters":[{"character_id":"a"}],"pagination":{"returned":5,"has_more":false}}`),
		1,
		false,
		true,
		1,
	},
	"without an id": {stub.Always(200, page([]string{`{"name":"x"}`}, 100, 0, false)), 0, false, true, 1},
	"not an object": {
		stub.Always(200, page([]string{`{"character_id":"a"}`, `"b"`}, 100, 0, false)),
		1,
		false,
		true,
		1,
	},
	"no list": {stub.Always(200, `{"pagination":{"has_more":false}}`), 0, false, true, 1},
	"a null list": {
		stub.Always(200, `{"characters":null,"pagination":{"has_more":false}}`),
		0,
		true,
		false,
		1,
	},
	"no pagination": {func(w http.ResponseWriter, r *http.Request, n int) {
		stub.Respond(
			w,
			200,
			[]string{
				`{"characters":[{"character_id":"a"}]}`,
				`{"characters":[{"character_id":"b"}]}`,
				`{"characters":[]}`,
			}[min(n, 3)-1],
		)
	}, 2, true, false, 3},
	"has_more missing, less than the limit": {
		stub.Always(200, `{"characters":[{"character_id":"a"}],"pagination":{"limit":100}}`),
		1,
		true,
		false,
		1,
	},
	"an item moves to the next page": {func(w http.ResponseWriter, _ *http.Request, n int) {
		stub.Respond(
			w,
			200,
			[]string{
				page([]string{`{"character_id":"a"}`, `{"character_id":"b"}`}, 2, 0, true),
				page([]string{`{"character_id":"b"}`, `{"character_id":"c"}`}, 2, 2, false),
			}[min(n, 2)-1],
		)
	}, 3, false, false, 2},
	"numbers as texts": {
		stub.Always(
			200,
			`{"characters":[{"character_id":7}],"pagination":{"limit":"100","returned":"1.0","has_more":"false"}}`,
		),
		1,
		true,
		false,
		1,
	},
}

// An iteration over all ends with an error if something is missing.
// Fault F9.
func TestOddListsAreNeverComplete(t *testing.T) {
	t.Parallel()
	for name, test := range oddLists {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stub.NewService(t, test.answer)
			found, complete, err := s.Client(t).Characters.Find(t.Context(), "none")
			check.True(
				t,
				"what is found",
				found == nil && complete == test.complete && err == nil && len(s.Requests()) == test.requests,
				found,
				complete,
				err,
				len(s.Requests()),
			)
			var ids []string
			var last error
			for character, err := range stub.NewService(t, test.answer).Client(t).Characters.Each(t.Context()) {
				last = err
				if err == nil {
					ids = append(ids, character.ID)
				}
			}
			slices.Sort(ids)
			check.True(t, "the iteration", len(ids) == test.ids && len(slices.Compact(ids)) == len(ids) &&
				errors.Is(last, evidence.ErrIncompleteList) == test.short && last != nil == test.short, ids, last)
		})
	}
}

// Fault F9.
func TestAFailedPageIsFetchedAgainByTheNextCaller(t *testing.T) {
	t.Parallel()
	broken := true
	third := func(r *http.Request, _ int) bool { return broken && r.URL.Query().Get("offset") == "200" }
	s := stub.NewService(t, stub.When(third, stub.Status(400), directory(500, 100)))
	client := s.Client(t)
	found, complete, err := client.Characters.Find(t.Context(), "ch450")
	check.True(t, "what is found without the page", found == nil && !complete && err != nil, found, complete, err)
	broken = false
	found, _, err = client.Characters.Find(t.Context(), "ch450")
	check.True(t, "what is found with it", found != nil && err == nil, found, err)
	var offsets []string
	for _, request := range s.Requests() {
		offsets = append(offsets, request.Query.Get("offset"))
	}
	check.True(t, "offsets", slices.Equal(offsets, []string{"0", "100", "200", "200", "300", "400"}), offsets)
}

func TestACancelledCallerLeavesTheWalkToTheOthers(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{}, 1)
	serve := directory(300, 100)
	s := stub.NewService(t, nil)
	s.OnRaw(func(w http.ResponseWriter, r *http.Request) {
		select {
		case arrived <- struct{}{}:
			<-r.Context().Done()
		default:
			serve(w, r, 0)
		}
	})
	client := s.Client(t)
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() {
		_, _, err := client.Characters.Find(ctx, "ch1")
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
	_, _, err := client.Characters.Find(impatient, "ch2")
	check.True(t, "waiting for one's turn ends with the context", wait.IsCanceled(err), err)
	cancel()
	check.True(t, "the one who left", wait.IsCanceled(<-gone))
	found, _, err := client.Characters.Find(t.Context(), "ch250")
	check.True(t, "what the next finds", err == nil && found != nil, found, err)
}

// Of a caller who has left, also if the next one has read it meanwhile: the
// list stays whole. Fault F9.
func TestAPageThatTwoHaveReadCountsOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var pages atomic.Int64
		client := stub.WithoutSocket(t, nil, func(r *http.Request) (*http.Response, error) {
			if pages.Add(1) == 1 {
				time.Sleep(2 * time.Second) // whatever becomes of its caller
			}
			return stub.JSON(r, 200, page([]string{`{"character_id":"ch0"}`}, 100, 0, false)), nil
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, _, err := client.Characters.Find(ctx, "ch0")
		check.True(t, "the one who left", wait.IsCanceled(err), err)
		for range 2 {
			found, complete, err := client.Characters.Find(t.Context(), "nobody")
			check.True(
				t,
				"what the next finds, after two pages",
				found == nil && complete && err == nil && pages.Load() == 2,
				found,
				complete,
				err,
				pages.Load(),
			)
			time.Sleep(2 * time.Second)
		}
	})
}

func TestAnUpdateIsSeenByTheSharedWalk(t *testing.T) {
	t.Parallel()
	s := stub.NewService(
		t,
		stub.On(
			"PUT",
			stub.Always(200, `{"character_id":"ch120","name":"new","status":"active"}`),
			directory(150, 100),
		),
	)
	client := s.Client(t)
	if _, _, err := client.Characters.Find(t.Context(), "ch0"); err != nil {
		t.Fatal(err)
	}
	check.Must(t, check.ErrorOf(client.Characters.Update(t.Context(), "ch120", api.CharacterUpdate{Name: "new"})))
	put := s.Requests()[1]
	check.True(
		t,
		"the update",
		put.Path == "/characters/ch120" && string(put.Body) == `{"name":"new","description":""}` &&
			put.Header.Get("Content-Type") == "application/json",
		put.Path,
		put.Body,
	)
	for _, id := range []string{"ch120", "ch149", "ch120"} {
		found, _, err := client.Characters.Find(t.Context(), id)
		check.True(t, id, err == nil && found != nil && (id != "ch120" || stub.Deref(found.Name) == "new"), found, err)
	}
	check.Equal(t, "requests", len(s.Requests()), 3)
	client.Characters.Refresh()
	found, _, _ := client.Characters.Find(t.Context(), "ch1")
	check.True(t, "a list from before a change is not used", found != nil && len(s.Requests()) == 4, len(s.Requests()))
	client.Characters.Refresh()
	_, _, err := client.Characters.Find(t.Context(), "ch2")
	check.True(t, "a list from after it is", err == nil && len(s.Requests()) == 4, len(s.Requests()))
}

func TestAllCharactersIsOnePageOfTheSharedWalk(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, directory(250, 100))
	client := s.Client(t)
	for range 2 {
		all, err := client.Characters.All(t.Context())
		check.True(
			t,
			"all on one page",
			err == nil && len(all.Characters) == 250 && all.Characters[249].ID == "ch249" &&
				stub.Deref(all.Pagination.Returned) == int64(250),
			err,
		)
	}
	check.Equal(t, "requests", len(s.Requests()), 3)
	s = stub.NewService(t, oddLists["has_more without progress"].answer)
	err := check.ErrorOf(s.Client(t).Characters.All(t.Context()))
	check.True(t, "the error", errors.Is(err, evidence.ErrIncompleteList), err)
}

func TestAListFromDuringAChangeIsNotUsedAfterIt(t *testing.T) {
	t.Parallel()
	for name, list := range map[string]func(*stub.Client) error{
		"assets": func(c *stub.Client) error { _, err := c.Images.ListOnce(t.Context(), "ch1"); return err },
		"characters": func(c *stub.Client) error {
			c.Characters.Refresh()
			_, _, err := c.Characters.Find(t.Context(), "ch1")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var client *stub.Client
			lists := 0
			s := stub.NewService(t, func(w http.ResponseWriter, r *http.Request, _ int) {
				if r.Method == http.MethodGet {
					lists++
				} else {
					check.NoError(t, list(client))
				}
				stub.Respond(
					w,
					200,
					`{"assets":[],"characters":[],"pagination":{"has_more":false},"success":true,"job_id":"j"}`,
				)
			})
			client = s.Client(t)
			check.Must(t, check.ErrorOf(stub.Buy(t.Context(), client, stub.TrainingOf("ch1"))))
			for range 2 {
				err := list(client)
				check.True(t, "lists", err == nil && lists == 2, err, lists)
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
	"a row too many": {func(offset, n int) []int { return between(offset, offset+101, n) }, false},
	"a row too many, repeated": {
		func(offset, n int) []int { return repeated(between(offset, offset+100, n), 40) },
		false,
	},
	"repeated at the end": {
		func(offset, n int) []int { return repeated(between(offset, offset+100, n), 99) },
		true,
	},
	"repeated in place of another": {
		func(offset, n int) []int { return repeated(between(offset, offset+99, n), 40) },
		false,
	},
	"one more on top": {
		func(offset, n int) []int { return append([]int{n - 1}, between(offset, offset+100, n-1)...) },
		false,
	},
	"every row twice": {twice, false},
	"the row before": {
		func(offset, n int) []int { return between(max(offset-1, 0), offset+100, n) },
		false,
	},
	"the row before and one behind": {
		func(offset, n int) []int { return between(max(offset-1, 0), offset+101, n) },
		false,
	},
}

func between(from, to, n int) (rows []int) {
	for i := from; i < min(to, n); i++ {
		rows = append(rows, i)
	}
	return rows
}

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

// A server may return fewer entries than asked for: they are not positions in
// the list. Fault F25.
func TestPagesOfAnotherLength(t *testing.T) {
	t.Parallel()
	for name, shape := range shapes {
		for _, n := range []int{99, 100, 101, 130, 150, 199, 200, 201, 250, 1000} {
			t.Run(fmt.Sprint(name, " of ", n), func(t *testing.T) {
				t.Parallel()
				s := stub.NewService(t, func(w http.ResponseWriter, r *http.Request, _ int) {
					offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
					rows := shape.rows(offset, n)
					items := []string{}
					for _, row := range rows {
						items = append(items, fmt.Sprintf(`{"character_id":"ch%d"}`, row))
					}
					more := len(rows) > 0 && rows[len(rows)-1] < n-1
					if name == "one more on top" {
						more = offset+100 < n-1
					}
					stub.Respond(w, 200, page(items, 100, offset, more))
				})
				client := s.Client(t)
				all, err := client.Characters.All(t.Context())
				if err != nil || len(all.Characters) != n {
					t.Fatalf("%d characters, %v", len(all.Characters), err)
				}
				ids := map[string]bool{}
				for _, character := range all.Characters {
					ids[character.ID] = true
				}
				check.Equal(t, "characters", len(ids), n)
				_, complete, _ := client.Characters.Find(t.Context(), "none")
				check.True(
					t,
					"whether the list is complete",
					complete == shape.complete || complete && n != 150,
					complete,
				)
				check.True(t, "requests", !shape.complete || len(s.Requests()) <= n/100+1, len(s.Requests()))
			})
		}
	}
}

func BenchmarkFindCharacter(b *testing.B) {
	s := stub.NewService(b, directory(1000, 100))
	for b.Loop() {
		client := s.Client(b)
		for i := range 1000 {
			if found, _, err := client.Characters.Find(
				b.Context(),
				fmt.Sprintf("ch%d", i),
			); err != nil ||
				found == nil {
				b.Fatal(found, err)
			}
		}
	}
}
