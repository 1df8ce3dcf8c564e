package mockserver

import (
	"context"
	"time"
)

// Values that the contract leaves open, and that no test changes.
const (
	trainingCost       = 100.0 // of either kind
	categorizationTime = 30 * time.Second
	maxBodyImages      = 40
	// The number of approved images with which a dataset can be approved.
	minDataset, maxDataset = 3, 30
)

// Options configure a [Server]. The zero value is a working service.
type Options struct {
	// Now is the service's clock; default time.Now.
	Now func() time.Time
	// OnDelay delays a slow reply; the default waits in real time.
	OnDelay func(ctx context.Context, d time.Duration)
	// OnViolation is called for every request and reply that violates
	// openapi.yaml or the additional rules. It may be called from any
	// goroutine.
	OnViolation func(string)
	// OnBooking is called for every purchase, with the balance after it. It
	// must not call the server.
	OnBooking func(entry LedgerEntry, balance float64)

	// APIKey is the key that the token exchange accepts; default
	// "mock-api-key".
	APIKey string
	// OrganizationID owns all characters; default "org_000001".
	OrganizationID string
	// PublicURL is the origin of the media addresses; default: the origin of
	// the current request.
	PublicURL string

	// Balance is the credit to start with; 0 means 10,000, negative none.
	Balance float64
	// PromptCost is the price of an accepted prompt; default 1 credit.
	PromptCost float64
	// DatasetCost is the price of a dataset of any size; default nothing.
	DatasetCost float64

	// FailPrompts are texts. A generation whose prompt contains one of them
	// fails, as after FailPrompt.
	FailPrompts []string

	// GenerationTime is how long a generation takes; 0 means 30 s, negative at
	// once.
	GenerationTime time.Duration
	// TrainingTime is how long a training takes; 0 means 20 min, negative at
	// once.
	TrainingTime time.Duration
	// DatasetTime is how long a dataset takes; 0 means 5 min, negative at once.
	DatasetTime time.Duration
	// CaptionTime is how long the caption of an upload is pending; default none.
	CaptionTime time.Duration
	// TokenLifetime is how long an access token is accepted; default 1 h.
	TokenLifetime time.Duration
	// MaxFaceImages is the maximum number of face images of a character; 0
	// means 20.
	MaxFaceImages int

	// RequestsPerMinute limits the requests of any minute; further requests get
	// a 429. 0 means no limit.
	RequestsPerMinute int
	// CountRefused also counts refused requests against the limit.
	CountRefused bool
	// AnnounceRetry adds a Retry-After to these 429s: the time until there is
	// room again.
	AnnounceRetry bool

	// Extended serves the endpoints of extended.yaml too.
	Extended bool

	// Variant chooses among the behaviours that the contract leaves open.
	Variant Variant
}

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.OnDelay == nil {
		o.OnDelay = realDelay
	}
	if o.OnViolation == nil {
		o.OnViolation = func(string) {}
	}
	if o.OnBooking == nil {
		o.OnBooking = func(LedgerEntry, float64) {}
	}
	fallback(&o.APIKey, "mock-api-key")
	fallback(&o.OrganizationID, "org_000001")
	fallback(&o.Balance, 10_000)
	fallback(&o.PromptCost, 1)
	fallback(&o.GenerationTime, 30*time.Second)
	fallback(&o.TrainingTime, 20*time.Minute)
	fallback(&o.DatasetTime, 5*time.Minute)
	fallback(&o.TokenLifetime, time.Hour)
	fallback(&o.MaxFaceImages, 20)
	for _, duration := range []*time.Duration{&o.GenerationTime, &o.TrainingTime, &o.DatasetTime} {
		*duration = max(*duration, 0)
	}
	o.Balance = max(o.Balance, 0)
	return o
}

func fallback[T comparable](value *T, standard T) {
	var zero T
	if *value == zero {
		*value = standard
	}
}

func realDelay(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
