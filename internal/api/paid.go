package api

import (
	"context"
	"net/http"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Paid is a POST that costs credits, and how its reply is read as R. Making one
// sends nothing: purchases.Buy is the only place that sends it.
type Paid[R any] struct {
	request *transport.Request
	// read reads a reply, also one that has arrived in part. The error is the
	// refusal of a reply that says so.
	read func(c *Client, said reply.Object, receipt *Receipt) (R, error)
}

// Operation returns the method and the path, as errors show them.
func (p Paid[R]) Operation() string { return p.request.Operation() }

// Send sends the request, once, and returns the reply to be read.
func (p Paid[R]) Send(ctx context.Context, c *Client) (reply.Object, error) {
	return c.do(ctx, p.request)
}

// Read reads a reply, also one that has arrived in part; receipt is what
// ReceiptOf has read of it. The error says that the service has refused the
// whole order.
func (p Paid[R]) Read(c *Client, said reply.Object, receipt *Receipt) (R, error) {
	return p.read(c, said, receipt)
}

// refusedBy is the error of a 2xx that refuses a whole order.
func refusedBy(failure *reply.Error) error {
	failure.Said.Status = http.StatusOK
	return failure
}

// work is a POST that begins work for a character. Without the id of a job in
// the receipt, the work may run all the same.
func work(request *transport.Request) Paid[*Receipt] {
	return Paid[*Receipt]{
		request: request.Paid().Receipt(reply.Receipt{Counts: []string{"credits_deducted"}, ID: "job_id"}),
		read:    func(_ *Client, _ reply.Object, receipt *Receipt) (*Receipt, error) { return receipt, nil },
	}
}

// image is a POST that makes one image from a prompt.
func image[R any](
	prompt string,
	request *transport.Request,
	read func(c *Client, said reply.Object) (R, error),
) Paid[R] {
	return Paid[R]{
		request: request.Paid().JSON(map[string]string{"prompt": prompt}),
		read:    func(c *Client, said reply.Object, _ *Receipt) (R, error) { return read(c, said) },
	}
}

// GenerateImage is POST /generate/image, which is alpha. Its reply is the
// addresses of the images: none if it names none, and does not call that an
// error.
func GenerateImage(prompt string) Paid[[]string] {
	request := transport.Post("/generate/image").Expect("output")
	return image(prompt, request, func(c *Client, said reply.Object) ([]string, error) {
		addresses := said.Texts("output")
		hasFailed := said.ErrorText("error") != nil
		if len(addresses) == 0 && hasFailed { // variant: image-later
			return nil, refusedBy(reply.ErrorOf(c.transport.WithoutResult(request, said)))
		}
		return addresses, nil
	})
}

// RegenerateImage is POST
// /{character_id}/dataset/images/{image_id}/regenerate.
func RegenerateImage(characterID, imageID, prompt string) Paid[*DatasetImage] {
	request := transport.Post("/{character_id}/dataset/images/{image_id}/regenerate", characterID, imageID).
		Expect("image_id", "approved")
	return image(prompt, request, func(_ *Client, said reply.Object) (*DatasetImage, error) {
		return decode[DatasetImage](said), nil
	})
}
