package bucket

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

const (
	// Keys count down from countFrom. A list in the order of names then begins
	// with the newest object, and a single request for one name finds it.
	countFrom = 1_000_000_000_000
	// newestFirst begins the key of each number up to highest, and few names of
	// other objects.
	newestFirst = "9"
	highest     = 100_000_000_000
	// maxContent is the largest content that the drivers write by a single
	// request. Larger contents are sent in parts by S3's and Google's drivers,
	// and some of the stores that speak S3's protocol then forget the condition
	// that no object exists.
	maxContent  = 16<<20 - 1
	contentType = "application/jsonl"
)

var keyPattern = regexp.MustCompile(`^9\d{11}\.jsonl$`)

// store is a purchases.Store in a bucket.
type store struct {
	bucket *blob.Bucket // never closed: the drivers hold nothing, or hold it for the whole process
	place  string       // for messages, as in s3://bucket/prefix/
}

// Open opens the store at an address, without a request to it. On a machine of
// Google's cloud it asks that machine for credentials.
func Open(ctx context.Context, name string) (purchases.Store, error) {
	at, err := purchases.ParseBucketAddress(name)
	if err != nil {
		return nil, fmt.Errorf("the address of the store %w", err)
	}
	opened, err := within(ctx, func(ctx context.Context) (*blob.Bucket, error) {
		// Google's driver fetches tokens with this context as long as the
		// process runs, so the context must not end with the operation that has
		// opened the store.
		return blob.OpenBucket(context.WithoutCancel(ctx), at.OfBucket())
	})
	if err != nil {
		return nil, failure("opening the bucket "+at.Bucket, err)
	}
	if at.Prefix != "" {
		opened = blob.PrefixedBucket(opened, at.Prefix+"/")
	}
	return &store{bucket: opened, place: at.String() + "/"}, nil
}

// Create writes an object by a single request, on the condition that none
// exists. Only a failed precondition proves that an object exists. S3's 409,
// which refuses one of two concurrent writers, proves nothing.
func (s *store) Create(ctx context.Context, number int64, content []byte) error {
	switch {
	case number < 1 || number > highest:
		return fmt.Errorf("a store has no object %d", number)
	case len(content) > maxContent:
		return fmt.Errorf("object %d has %d bytes, and may have %d", number, len(content), maxContent)
	}
	key := keyOf(number)
	_, err := within(ctx, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.bucket.WriteAll(ctx, key, content, &blob.WriterOptions{
			ContentType: contentType,
			IfNotExist:  true,
			// A buffer larger than the content makes it a single request on
			// Azure, and saves Google's driver its 16 MiB.
			BufferSize:     len(content) + 1,
			MaxConcurrency: 1,
		})
	})
	switch gcerrors.Code(err) {
	case gcerrors.OK:
		return nil
	case gcerrors.FailedPrecondition, gcerrors.AlreadyExists:
		return fmt.Errorf("writing %s: %w", s.place+key, purchases.ErrExists)
	default:
		return failure("writing "+s.place+key, err)
	}
}

// Read returns the object of a number. Only a list without the object proves
// that it does not exist: gocloud's NotFound may also be a missing bucket, and
// with Google a forbidden request.
func (s *store) Read(ctx context.Context, number int64) ([]byte, error) {
	key := keyOf(number)
	content, err := s.get(ctx, key)
	if gcerrors.Code(err) != gcerrors.NotFound {
		return content, failure("reading "+s.place+key, err)
	}
	found, listErr := s.list(ctx, blob.FirstPageToken, 1, key)
	switch {
	case listErr != nil:
		return nil, failure("reading "+s.place+key, listErr)
	case !slices.Contains(found.names, key): // the first name with this beginning
		return nil, fmt.Errorf("reading %s: %w", s.place+key, purchases.ErrNoObject)
	}
	// The object was written between the two requests, or may not be read.
	content, err = s.get(ctx, key)
	return content, failure("reading "+s.place+key, err)
}

// Newest asks for a single name. It asks for more names if the first is not the
// log's.
func (s *store) Newest(ctx context.Context) (int64, error) {
	const manyNames = 1000
	count := 1
	for token := blob.FirstPageToken; len(token) > 0; count = manyNames {
		found, err := s.list(ctx, token, count, newestFirst)
		if err != nil {
			return 0, failure("listing "+s.place, err)
		}
		for _, name := range found.names {
			if number, isOurs := numberOf(name); isOurs {
				return number, nil
			}
		}
		token = found.next
	}
	return 0, nil
}

func (s *store) get(ctx context.Context, key string) ([]byte, error) {
	return within(ctx, func(ctx context.Context) ([]byte, error) { return s.bucket.ReadAll(ctx, key) })
}

// page is the answer to a request for names.
type page struct {
	names []string
	next  []byte // empty after the last
}

func (s *store) list(ctx context.Context, token []byte, count int, prefix string) (page, error) {
	return within(ctx, func(ctx context.Context) (page, error) {
		objects, next, err := s.bucket.ListPage(ctx, token, count, &blob.ListOptions{Prefix: prefix})
		found := page{next: next}
		for _, object := range objects {
			found.names = append(found.names, object.Key)
		}
		return found, err
	})
}

func keyOf(number int64) string { return fmt.Sprintf("%012d.jsonl", countFrom-number) }

func numberOf(key string) (number int64, isOurs bool) {
	if !keyPattern.MatchString(key) {
		return 0, false
	}
	left, err := strconv.ParseInt(key[:len("999999999999")], 10, 64)
	return countFrom - left, err == nil
}
