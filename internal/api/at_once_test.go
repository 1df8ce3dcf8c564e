package api_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/credential"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// A Client is safe for concurrent use: the race detector sees what its calls share
// and nothing guards.
func TestAClientIsUsedAtOnce(t *testing.T) {
	t.Parallel()
	most, price := int64(1_000_000), 1.0
	config := api.Config{
		Config: transport.Config{
			BaseURL: &url.URL{Scheme: "http", Host: "localhost"}, Config: credential.Config{AccessToken: "static"}, Clock: newClock(),
			Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
				if strings.HasSuffix(r.URL.Path, "/grp2") {
					return jsonResponse(r, 405, ""), nil
				}
				return jsonResponse(r, 200, `{"character_id":"ch1","name":"Ada","characters":[{"character_id":"ch1","organization_id":"org_1","name":"Ada"}],
					"generations":[],"pagination":{"limit":100,"offset":0,"returned":1,"has_more":false},"batch_id":"b1","credits_deducted":2,"deleted_images":1}`), nil
			}),
		},
		MaxPurchases: &most, Prices: map[string]*float64{api.KindGeneration: &price}, ExtendedReads: true,
	}
	client, err := api.New(config)
	check.Must(t, err)
	config.PurchaseLog = t.TempDir() // which no entry can be written to
	logging, err := api.New(config)
	check.Must(t, err)
	ctx := context.WithoutCancel(t.Context()) // of the parent, which ends first
	for name, acts := range map[string][]func(c *api.Client){
		"characters": {
			func(c *api.Client) { _, _, _ = c.FindCharacter(ctx, "ch1") }, (*api.Client).RefreshCharacters,
			func(c *api.Client) { _, _ = c.UpdateCharacter(ctx, "ch1", api.CharacterUpdate{Name: "Grace"}) },
			func(c *api.Client) { _, _ = c.CharactersSince(ctx, nil) }, func(c *api.Client) { c.ListedCharacters() },
		},
		"what is listed": {
			func(c *api.Client) { _, _ = c.CreateCharacter(ctx, api.CharacterCreation{Name: "Ada"}) },
			func(c *api.Client) { c.TryFindCharacter(ctx, "ch1") }, func(c *api.Client) { c.Known("") }, func(c *api.Client) { c.Seen(api.Evidence{}) },
		},
		"purchases": {func(c *api.Client) { _, _ = c.SubmitBatch(ctx, batchOf("a")) }, func(c *api.Client) { _, _ = c.SubmitBatch(ctx, batchOf("b")) }},
		"extended reads": {
			func(c *api.Client) { _, _ = c.OptionalGroup(ctx, "grp1") }, func(c *api.Client) { _, _ = c.OptionalGroup(ctx, "grp2") },
			func(c *api.Client) { _ = c.FailedRead() },
		},
		"log": {func(*api.Client) { _, _ = logging.DeleteGeneration(ctx, "g1") }, func(*api.Client) { logging.UnwrittenEntries() }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 20 {
				fresh, group := client.Anew(), sync.WaitGroup{}
				for _, act := range acts {
					for range 4 {
						group.Go(func() {
							for range 20 {
								act(fresh)
							}
						})
					}
				}
				group.Wait()
			}
		})
	}
}
