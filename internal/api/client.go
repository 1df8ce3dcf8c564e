package api

import (
	"cmp"
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Config configures a Client.
type Config struct {
	transport.Config
	purchases.Terms // what may be bought through this client

	// PurchaseLogs are the files, and the addresses of the stores, that purchases
	// and deletions are written to. The first guards what runs before this one have
	// bought. OpenStore opens a store; it is needed where there is one.
	PurchaseLogs    []string
	OpenStore       func(ctx context.Context, address string) (purchases.Store, error)
	Author          purchases.Author // of their entries
	ExtendedReads   bool             // the deployment answers GETs that only some have
	TrustNotFound   bool             // every 404 and 410 is accepted as proof that an object is gone
	BestEffortLimit time.Duration    // of all best-effort reads together, in real time; 0 is three seconds
}

// Client talks to the service. It is safe for concurrent use.
type Client struct {
	Characters  *CharacterService
	Images      *ImageService
	Trainings   *TrainingService
	Datasets    *DatasetService
	Generations *GenerationService
	Groups      *GroupService
	Models      *ModelService

	config    Config
	transport *transport.Client
	caller    *caller
	clock     wait.Clock
	account   *purchases.Account
	log       *purchases.Log
	reads     *semaphore.Weighted // has maxReads places

	mutex sync.Mutex
	// list is read until what is wanted is found; secondList proves what the
	// first lacks.
	list, secondList *characterList
	made             []Character      // through this client
	known            map[knownID]bool // what this client has read, true if it has also made it

	// What was read of characters, by their ids. Reads before a purchase bypass
	// it.
	assets       *transport.Cache[string, *Assets]
	capabilities *transport.Cache[string, *Capabilities]
	datasets     *transport.Cache[string, *DatasetImages]
	trainings    *transport.Cache[string, *TrainingStatus]
	boughtWith   sync.Map                          // the characters whose capabilities a purchase went by
	address      *transport.Cache[struct{}, error] // why base_url is wrong, nil if it is not
	bestEffort   *bestEffort
	optional     optionalEndpoints

	byAssetType, byApproval filter // of lists
}

// New returns a client. It sends nothing; the first request obtains the token.
func New(config Config) (*Client, error) {
	config.NamedIDs = []string{namedCharacter, namedGroup, namedAsset}
	sender := transport.New(config.Config)
	config.Clock = cmp.Or(config.Clock, wait.System)
	caller := newCaller(config.BaseURL, sender.Credential)
	reads := semaphore.NewWeighted(maxReads)
	log, err := purchases.NewLog(purchases.Config{
		Books:     config.PurchaseLogs,
		OpenStore: config.OpenStore,
		Terms:     config.Terms,
		Buyer:     caller,
		Author:    screenedAuthor(config),
		Clock:     config.Clock,
		Say:       config.Inform,
	})
	if err != nil {
		return nil, err
	}
	return (&Client{
		config:    config,
		transport: sender,
		caller:    caller,
		log:       log,
		reads:     reads,
	}).Anew(), nil
}

// Anew returns a client for another run, which has read and bought nothing yet.
// Both share how requests are sent: the token, the rate limiter, the
// connections.
func (c *Client) Anew() *Client {
	clock := c.config.Clock
	sender := c.transport
	c.log.Anew()
	c = &Client{
		config:      c.config,
		transport:   sender,
		caller:      c.caller,
		log:         c.log,
		reads:       c.reads,
		clock:       clock,
		byAssetType: filter{name: "asset_type"},
		byApproval:  filter{name: "approved_only"},
		known:       map[knownID]bool{},
		optional:    newOptionalEndpoints(),
		bestEffort: &bestEffort{
			clock:     clock,
			turn:      semaphore.NewWeighted(1),
			remaining: cmp.Or(c.config.BestEffortLimit, 3*time.Second),
			gone:      map[string]bool{},
		},
	}
	c.Characters = &CharacterService{c}
	c.Images = &ImageService{c}
	c.Trainings = &TrainingService{c}
	c.Datasets = &DatasetService{c}
	c.Generations = &GenerationService{c}
	c.Groups = &GroupService{c}
	c.Models = &ModelService{c}
	c.account = purchases.NewAccount(c.config.Terms, clock.Now().UTC().Format(time.RFC3339))
	c.assets = transport.NewCache(
		sender,
		func(ctx context.Context, id string) (*Assets, error) { return c.Images.List(ctx, id, "") },
	)
	// All of them: an image that was just regenerated is not approved.
	c.datasets = transport.NewCache(sender, func(ctx context.Context, id string) (*DatasetImages, error) {
		return c.Datasets.Images(ctx, id, new(false))
	})
	c.capabilities = transport.NewCache(sender, c.Characters.Capabilities)
	c.trainings = transport.NewCache(sender, c.Trainings.Status)
	c.address = transport.NewCache(sender, c.checkAddress)
	return c
}

// do sends a request. Lists that are read while a change is in progress may
// miss it: assets and datasets are read again. The character list may have
// hundreds of pages, and the reply to a PUT keeps it up to date: only data
// sources read it again, see Characters.Refresh.
func (c *Client) do(ctx context.Context, request *transport.Request) (reply.Object, error) {
	said, err := c.transport.Do(ctx, request)
	if request.Writes() {
		c.assets.RefreshAll()
		c.datasets.RefreshAll()
		c.mutex.Lock()
		defer c.mutex.Unlock()
		if c.list != nil {
			c.list.changed = true
		}
	}
	return said, err
}

// AccessToken returns the token that the client uses itself: a fresh one if
// less than minLifeShare (0 to 1) of its life is left.
func (c *Client) AccessToken(ctx context.Context, minLifeShare float64) (transport.Token, error) {
	return c.transport.AccessToken(ctx, minLifeShare)
}

// value is what a pointer points to, or its zero.
func value[T any](pointer *T) (pointed T) {
	if pointer != nil {
		pointed = *pointer
	}
	return pointed
}
