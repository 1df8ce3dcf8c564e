package purchases

import (
	"context"
	"maps"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
)

// maxProbed limits the requests for a question that only makes a message
// precise. No known service allows fewer requests in a minute.
const maxProbed = 60

// probe reads the generations that the purchase log has and no state has. It
// returns those that are proven gone, and those that the service shows. A
// generation is in neither result if it cannot be read, if it was never shown
// and is not found, or if it comes after the first 60.
func (p *Purchaser) probe(
	ctx context.Context,
	found []Bought,
) (gone []string, shown map[string]bool) {
	last := map[string]evidence.Evidence{}
	for _, bought := range found {
		for _, id := range bought.Generations {
			by, wasShown := bought.Shown[id]
			last[id] = evidence.Evidence{Shown: wasShown, By: by}
			if !wasShown {
				last[id] = evidence.Evidence{By: bought.By}
			}
		}
	}
	shown = map[string]bool{}
	asked := slices.Sorted(maps.Keys(last))
	asked = asked[:min(len(asked), maxProbed)]
	err := p.Client.Twice(ctx, func(ctx context.Context) (anyGone bool, err error) {
		gone = nil
		for _, read := range p.Client.Generations.GetAll(ctx, asked) {
			existence, _ := p.Client.Judge(ctx, read.Err, last[read.ID])
			switch existence {
			case evidence.Gone:
				gone = append(gone, read.ID)
			case evidence.Present:
				shown[read.ID] = true
			case evidence.Undecided, evidence.NotYetSeen:
			}
		}
		asked = gone
		return len(gone) > 0, nil
	})
	if err != nil { // an interrupt before the second read: the first proves nothing
		return nil, shown
	}
	return gone, shown
}
