package dataset

import (
	"context"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// lists are the datasets that all regenerations of one plan or apply share: a
// refresh costs one request a character.
type lists struct {
	mutex       sync.Mutex
	byCharacter map[string]*list
}

type list struct {
	reading wait.ContextMutex
	images  *api.DatasetImages
}

// get reads the whole dataset of a character, once until it is forgotten. A
// failed read is repeated by the next caller.
func (l *lists) get(ctx context.Context, client *api.Client, characterID string) (*api.DatasetImages, error) {
	shared := l.of(characterID)
	if err := shared.reading.Lock(ctx); err != nil {
		return nil, err
	}
	defer shared.reading.Unlock()
	if shared.images != nil {
		return shared.images, nil
	}
	// All of them: an image that was just regenerated is not approved.
	approvedOnly := false
	images, err := client.DatasetImages(ctx, characterID, &approvedOnly)
	if err == nil {
		shared.images = images
	}
	return images, err
}

// forget makes the next reader ask again, as after a regeneration.
func (l *lists) forget(characterID string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	delete(l.byCharacter, characterID)
}

func (l *lists) of(characterID string) *list {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.byCharacter == nil {
		l.byCharacter = map[string]*list{}
	}
	if l.byCharacter[characterID] == nil {
		l.byCharacter[characterID] = new(list)
	}
	return l.byCharacter[characterID]
}
