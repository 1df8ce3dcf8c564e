package api

import (
	"context"
	"net/http"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Paid is a POST that costs credits. Its reply is read as an R. Creating a Paid
// sends nothing; only purchases.Buy sends it.
type Paid[R any] struct {
	request *transport.Request
	// read reads a reply, even a reply that has arrived in part. The error is the
	// refusal that the reply reports.
	read func(c *Client, said reply.Object, receipt *Receipt) (R, error)
}

// Operation returns the method and the path in the form that errors show.
func (p Paid[R]) Operation() string { return p.request.Operation() }

// Send sends the request once, and returns the reply. Read reads it.
func (p Paid[R]) Send(ctx context.Context, c *Client) (reply.Object, error) {
	return c.do(ctx, p.request)
}

// Read reads a reply, even a reply that has arrived in part. receipt is the
// result of ReceiptOf for the same reply. An error means that the service has
// refused the whole order.
func (p Paid[R]) Read(c *Client, said reply.Object, receipt *Receipt) (R, error) {
	return p.read(c, said, receipt)
}

// refusedBy turns failure into the error of a reply with status 200 that
// refuses a whole order.
func refusedBy(failure *reply.Error) error {
	failure.Said.Status = http.StatusOK
	return failure
}

// work returns a POST that starts work for a character. The work may run even
// if the receipt has no job id.
func work(request *transport.Request) Paid[*Receipt] {
	return Paid[*Receipt]{
		request: request.Makes().Receipt(reply.Receipt{Counts: []string{"credits_deducted"}, ID: "job_id"}),
		read:    func(_ *Client, _ reply.Object, receipt *Receipt) (*Receipt, error) { return receipt, nil },
	}
}

// image returns a POST that makes one image from a prompt.
func image[R any](
	prompt string,
	request *transport.Request,
	read func(c *Client, said reply.Object) (R, error),
) Paid[R] {
	return Paid[R]{
		request: request.Makes().JSON(map[string]string{"prompt": prompt}),
		read:    func(c *Client, said reply.Object, _ *Receipt) (R, error) { return read(c, said) },
	}
}

// GenerateImage returns POST /generate/image, which is alpha. The result is the
// addresses of the images. The result is empty if the reply names no address
// and reports no error.
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

// RegenerateImage returns POST
// /{character_id}/dataset/images/{image_id}/regenerate.
func RegenerateImage(characterID, imageID, prompt string) Paid[*DatasetImage] {
	request := transport.Post("/{character_id}/dataset/images/{image_id}/regenerate", characterID, imageID).
		Expect("image_id", "approved")
	return image(prompt, request, func(_ *Client, said reply.Object) (*DatasetImage, error) {
		return decode[DatasetImage](said), nil
	})
}
