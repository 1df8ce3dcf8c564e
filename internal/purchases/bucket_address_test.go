package purchases_test

import (
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

func TestCheck_accepts(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"s3://log",
		"s3://log/",
		"s3://log/studio/books?region=eu-central-1",
		"s3://log/studio/b%C3%BCcher?region=eu-central-1&profile=prod",
		"s3://log?endpoint=https://minio.example.com:9000/s3&use_path_style=true&region=us-east-1",
		"s3://log?endpoint=http://127.0.0.1:9000&s3ForcePathStyle=true&region=us-east-1",
		"s3://log?endpoint=http://[::1]:9000",
		"s3://log?role=arn:aws:iam::123456789012:role/log&role_session_name=ci&role_duration=1h",
		"gs://log.example.com/studio",
		"gs://log?universe_domain=example.com",
		"azblob://log/studio?storage_account=studio",
		"azblob://log?domain=127.0.0.1:10000&protocol=http&localemu=true&storage_account=devstoreaccount1",
	} {
		check.NoError(t, purchases.CheckBucketAddress(text))
	}
}

// What is wrong is said as in "purchase_log must …", and a secret is not repeated.
func TestCheck_refuses(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"": "as s3://bucket/prefix?region=eu-central-1, gs://bucket/prefix or " +
			"azblob://",
		"/var/log":                           "as s3://",
		"https://log.example.com":            "as s3://",
		"mem://log":                          "as s3://",
		"file:///log":                        "as s3://",
		"s3://log/%zz":                       "must be the address of a bucket",
		"s3://":                              "must name a bucket",
		"s3:log":                             "must name a bucket",
		"s3:///log":                          "must name a bucket",
		"s3://log:99/x":                      "must name a bucket after ://, without a port",
		"s3://-log":                          "must name a bucket",
		"s3://KEY:hunter2@log":               "must not carry a user name or a password",
		"s3://KEY:hunter2/x":                 "must be the address of a bucket",
		"s3://log#hunter2":                   "must not carry a fragment",
		"s3://log/x#":                        "must not carry a fragment",
		"s3://log//x":                        "between single slashes",
		"s3://log/x//":                       "between single slashes",
		"s3://log/../x":                      "between single slashes",
		"s3://log/./x":                       "between single slashes",
		"s3://log/a%20b":                     "without spaces",
		"s3://log/a%0ab":                     "without spaces",
		"s3://log/a%5Cb":                     "without spaces",
		"s3://log/a%FFb":                     "without spaces",
		"s3://log?region=a;b":                "must have a query of name=value",
		"s3://log?region=":                   "must have a value for the parameter region",
		"s3://log?region":                    "must have a value for the parameter region",
		"s3://log?region=a&region=b":         "must have the parameter region once",
		"s3://log?prefix=x":                  `must not have the parameter "prefix": there are accelerate, `,
		"s3://log?key=x":                     `must not have the parameter "key"`,
		"s3://log?disable_https=true":        `must not have the parameter "disable_https"`,
		"s3://log?anonymous=true":            `must not have the parameter "anonymous"`,
		"s3://log?secret_access_key=hunter2": `must not have the parameter "secret_access_key"`,
		"s3://log?endpoint=http://10.0.0.1":  "parameter endpoint that is an https address, or http on this machine",
		"s3://log?endpoint=minio:9000":       "endpoint that is an https address",
		"s3://log?endpoint=https://a:hunter2@host": "endpoint that is the address of a server",
		"s3://log?endpoint=https://host/%3Fx":      "endpoint that is the address of a server",
		"s3://log?fips=maybe":                      "parameter fips that is true or false",
		"s3://log?role=admin":                      "parameter role that is an ARN",
		"s3://log?role_duration=1":                 "parameter role_duration that is a duration",
		"gs://log?private_key_path=/key": `must not have the parameter "private_key_path": there are ` +
			`universe_domain`,
		"gs://log?access_id=-":          `must not have the parameter "access_id"`,
		"gs://log?region=eu":            `must not have the parameter "region"`,
		"azblob://log?sv=1&sig=hunter2": `must not have the parameter "sig": there are domain, localemu, protocol`,
		"azblob://log?cdn=true":         `must not have the parameter "cdn"`,
		"azblob://log?protocol=ftp":     "parameter protocol that is https, or http on this machine",
	} {
		err := purchases.CheckBucketAddress(text)
		if err == nil {
			t.Errorf("%s is accepted", text)
			continue
		}
		check.Contains(t, text, err.Error(), says)
		check.True(t, "it begins as what follows an attribute", strings.HasPrefix(err.Error(), "must "), err)
		check.True(t, "no secret is repeated", !strings.Contains(err.Error(), "hunter2"), err)
	}
}

func TestName_isOfTheStore(t *testing.T) {
	t.Parallel()
	for text, name := range map[string]string{
		"s3://log":                            "s3://log",
		"s3://log/":                           "s3://log",
		"s3://log/x/":                         "s3://log/x",
		"s3://log/%78?region=eu&profile=prod": "s3://log/x",
		"s3://log/x?endpoint=https://minio.example.com/&region=eu": "s3://log/x?endpoint=" +
			"https%3A%2F%2Fminio.example.com",
		"gs://log/x":                               "gs://log/x",
		"azblob://log/x?storage_account=studio":    "azblob://log/x?storage_account=studio",
		"azblob://log/x?localemu=false&domain=a.b": "azblob://log/x?domain=a.b",
	} {
		got, err := purchases.BucketAddressName(text)
		check.NoError(t, err)
		check.Equal(t, text, got, name)
	}
	check.True(t, "no name of what is no address", check.ErrorOf(purchases.BucketAddressName("log")) != nil)
}
