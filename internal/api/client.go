package api

import (
	"context"

	"golang.org/x/sync/semaphore"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// NamedIDs are the fields of an error body that hold ids.
var NamedIDs = []string{namedCharacter, namedGroup, namedAsset}

// Client sends requests to the endpoints and reads the replies. It does not
// remember replies: package evidence does. A Client is safe for concurrent use.
type Client struct {
	Characters  *CharacterService
	Images      *ImageService
	Trainings   *TrainingService
	Datasets    *DatasetService
	Generations *GenerationService
	Groups      *GroupService
	Models      *ModelService

	transport *transport.Client
	clock     wait.Clock
	reads     *semaphore.Weighted // has maxReads places
	changed   func()
}

// New returns a client that sends requests through the transport client sender.
// The client calls changed after each request that may have changed something
// at the service.
func New(sender *transport.Client, clock wait.Clock, changed func()) *Client {
	return newClient(sender, clock, semaphore.NewWeighted(maxReads), changed)
}

// Anew returns a client for another run, with a different function changed.
// Both clients share the limit of reads in flight.
func (c *Client) Anew(changed func()) *Client {
	return newClient(c.transport, c.clock, c.reads, changed)
}

func newClient(sender *transport.Client, clock wait.Clock, reads *semaphore.Weighted, changed func()) *Client {
	c := &Client{
		transport: sender,
		clock:     clock,
		reads:     reads,
		changed:   changed,
	}
	c.Characters = &CharacterService{c}
	c.Images = &ImageService{c}
	c.Trainings = &TrainingService{c}
	c.Datasets = &DatasetService{c}
	c.Generations = &GenerationService{c}
	c.Groups = &GroupService{c}
	c.Models = &ModelService{c}
	return c
}

// do sends a request, and calls changed if the request writes.
func (c *Client) do(ctx context.Context, request *transport.Request) (reply.Object, error) {
	said, err := c.transport.Do(ctx, request)
	if request.Writes() {
		c.changed()
	}
	return said, err
}
