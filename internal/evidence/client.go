package evidence

import (
	"cmp"
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Config configures a Client.
type Config struct {
	transport.Config
	ExtendedReads   bool          // the deployment answers GETs that other deployments lack
	TrustNotFound   bool          // every 404 and 410 is accepted as proof that an object is gone
	BestEffortLimit time.Duration // real time for all best-effort reads together; 0 means three seconds
}

// Client sends the requests of one run. It remembers what the run has read and
// made, and decides from this memory what a reply proves. A Client is safe for
// concurrent use.
type Client struct {
	Characters  *Characters
	Images      *Images
	Trainings   *Trainings
	Datasets    *Datasets
	Generations *api.GenerationService
	Groups      *Groups
	Models      *Models

	endpoints *api.Client
	config    Config
	transport *transport.Client
	caller    *caller
	clock     wait.Clock

	mutex sync.Mutex
	// list is read until the wanted character is found. secondList confirms that a
	// character is missing from the first list.
	list, secondList *characterList
	made             []api.Character  // through this client
	known            map[knownID]bool // the objects that this client has read; true if it has made the object

	// Replies about characters, by the ids of the characters. Reads before a
	// purchase bypass these caches.
	assets       *transport.Cache[string, *api.Assets]
	capabilities *transport.Cache[string, *api.Capabilities]
	datasets     *transport.Cache[string, *api.DatasetImages]
	trainings    *transport.Cache[string, *api.TrainingStatus]
	boughtWith   sync.Map                          // characters whose capabilities a purchase has used
	address      *transport.Cache[struct{}, error] // why base_url is wrong, nil if it is not
	bestEffort   *bestEffort
	optional     optionalEndpoints

	byAssetType, byApproval filter // of lists
}

// New returns a client. It sends nothing; the first request obtains the token.
func New(config Config) *Client {
	config.NamedIDs = api.NamedIDs
	config.Clock = cmp.Or(config.Clock, wait.System)
	sender := transport.New(config.Config)
	first := &Client{
		config:    config,
		transport: sender,
		caller:    newCaller(config.BaseURL, sender.Credential),
		endpoints: api.New(sender, config.Clock, func() {}),
	}
	return first.Anew()
}

// Anew returns a client for another run. The new client has read nothing. Both
// clients share the token, the rate limiter and the connections.
func (c *Client) Anew() *Client {
	clock := c.config.Clock
	sender := c.transport
	before := c.endpoints
	c = &Client{
		config:      c.config,
		transport:   sender,
		caller:      c.caller,
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
	c.endpoints = before.Anew(c.refreshLists)
	c.Characters = &Characters{c.endpoints.Characters, c}
	c.Images = &Images{c.endpoints.Images, c}
	c.Trainings = &Trainings{c.endpoints.Trainings, c}
	c.Datasets = &Datasets{c.endpoints.Datasets, c}
	c.Generations = c.endpoints.Generations
	c.Groups = &Groups{c.endpoints.Groups, c}
	c.Models = &Models{c.endpoints.Models, c}
	c.assets = transport.NewCache(sender, c.Images.all)
	c.datasets = transport.NewCache(sender, c.Datasets.all)
	c.capabilities = transport.NewCache(sender, c.Characters.Capabilities)
	c.trainings = transport.NewCache(sender, c.Trainings.Status)
	c.address = transport.NewCache(sender, c.checkAddress)
	return c
}

// Endpoints returns the client for requests whose replies this Client need not
// remember. It still learns that a request may have changed something.
func (c *Client) Endpoints() *api.Client { return c.endpoints }

// refreshLists makes later reads read lists again. A list that was read during
// a change may miss the change, so assets and datasets are read again. The
// character list may have hundreds of pages, and replies to PUTs keep it up to
// date; only data sources read it again, see Characters.Refresh.
func (c *Client) refreshLists() {
	c.assets.RefreshAll()
	c.datasets.RefreshAll()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.list != nil {
		c.list.changed = true
	}
}

// AccessToken returns the token that the client itself uses. The token is a
// fresh one if less than minLifeShare (0 to 1) of its life is left.
func (c *Client) AccessToken(ctx context.Context, minLifeShare float64) (transport.Token, error) {
	return c.transport.AccessToken(ctx, minLifeShare)
}
