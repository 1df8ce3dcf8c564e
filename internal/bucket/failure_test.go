package bucket_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/bucket"
)

// azureSays is an error of Azure's client as it comes from a store.
const azureSays = `blob (key "999999999999.jsonl") (code=NotFound): PUT https://studio.blob.core.windows.net/log/x.jsonl
--------------------------------------------------------------------------------
RESPONSE 404: 404 The specified container does not exist.
ERROR CODE: ContainerNotFound
--------------------------------------------------------------------------------
<?xml version="1.0" encoding="utf-8"?><Error><Code>ContainerNotFound</Code><Message>It does not exist.
RequestId:f2a1c6c1-301e-0032
Time:2026-11-28T21:00:00.1Z</Message></Error>
--------------------------------------------------------------------------------
`

// amazonError is an error of Amazon's client.
type amazonError struct{}

func (amazonError) Error() string {
	return "operation error S3: PutObject, https response error StatusCode: 403, RequestID: X, HostID: Y, api error"
}
func (amazonError) ErrorCode() string    { return "AccessDenied" }
func (amazonError) ErrorMessage() string { return "not authorized to perform: s3:PutObject" }

// A person reads the cloud's own reason in one line, and no signature.
func TestFailure(t *testing.T) {
	t.Parallel()
	signed := &url.Error{
		Op:  "Put",
		URL: "https://studio.blob.core.windows.net/log/x?sv=1&sig=hunter2",
		Err: errors.New("EOF"),
	}
	for want, err := range map[string]error{
		"AccessDenied: not authorized to perform: s3:PutObject": fmt.Errorf(
			"blob: %w",
			amazonError{},
		),
		"404 The specified container does not exist., ContainerNotFound It does not exist.": errors.New(azureSays),
		`Put "https://studio.blob.core.windows.net": EOF`:                                   signed,
		"request send failed, EOF": errors.New("operation error S3: GetObject, https response error StatusCode: 0, " +
			"RequestID: , HostID: , request send failed, EOF"),
		"googleapi: Error 403: no access, forbidden": errors.New(
			"blob (code=NotFound): googleapi: Error 403: no access, " +
				"forbidden",
		),
		"googleapi: got HTTP response code 403 with body: Access denied.": errors.New(
			"googleapi: got HTTP response code " +
				"403 with body: <?xml version='1.0'?><Error><Code>AccessDenied</Code><Message>Access " +
				"denied.</Message></Error>",
		),
		`Get "https://storage.googleapis.com": there are no usable Application Default Credentials`: errors.New(
			`Get "https://storage.googleapis.com/storage/v1/b/log/o?alt=json": private key should be a PEM or plain ` +
				`PKCS1`,
		),
	} {
		failed := bucket.Failure("reading s3://log/x", err)
		check.Equal(t, "what is read", failed.Error(), "reading s3://log/x: "+want)
		check.True(t, "the cause is kept", errors.Is(failed, err))
	}
	check.True(t, "no failure", bucket.Failure("reading", nil) == nil)
	ended := bucket.Failure("reading", fmt.Errorf("blob: %w", context.Canceled))
	check.True(t, "the end of a context is kept", errors.Is(ended, context.Canceled), ended)
}
