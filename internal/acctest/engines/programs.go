package engines

import (
	"bufio"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

var (
	versityListens = regexp.MustCompile(`service listening on:`)
	azuriteListens = regexp.MustCompile(`successfully listens on http://(\S+)`)
)

// startVersity lets the program listen at a socket, because a free port may be
// taken before the program asks for it.
func startVersity(t testing.TB, e *Engine) server {
	t.Helper()
	directory, err := os.MkdirTemp("", "store") //nolint:usetesting // the path of a socket must be short
	check.Must(t, err)
	t.Cleanup(func() { check.NoError(t, os.RemoveAll(directory)) })
	socket := filepath.Join(directory, "socket")
	buckets := filepath.Join(directory, "buckets")
	records := filepath.Join(directory, "records")
	check.Must(t, os.Mkdir(buckets, 0o700))
	check.Must(t, os.Mkdir(records, 0o700))
	// The program keeps its records of objects in extended attributes, which
	// not every file system has. Without records it forgets the condition of a
	// write.
	options := []string{"--sidecar", records}
	if e.lying {
		options = []string{"--nometa"}
	}
	arguments := append([]string{"--port", socket, "--access", accessKey, "--secret", secretKey, "posix"}, options...)
	run(t, "VERSITYGW", versityListens, append(arguments, buckets)...)
	return server{
		handler: forward(t, "unix", socket),
		makeBucket: func() {
			var client *awss3.Client
			check.True(t, "it is opened by Amazon's client", e.Objects(t).As(&client))
			_, err := client.CreateBucket(t.Context(), &awss3.CreateBucketInput{Bucket: &e.bucket})
			check.Must(t, err)
		},
	}
}

func startAzurite(t testing.TB, e *Engine) server {
	t.Helper()
	if e.lying {
		t.Fatal("Azurite checks the signature of a condition, and cannot be made to forget it")
	}
	// The program knows the versions of the service's interface only until its
	// own release.
	found := run(t, "AZURITE", azuriteListens, "--blobPort", "0", "--inMemoryPersistence", "--skipApiVersionCheck",
		"--disableTelemetry", "--silent")
	return server{
		handler: forward(t, "tcp", found[1]),
		makeBucket: func() {
			var client *container.Client
			check.True(t, "it is opened by Azure's client", e.Objects(t).As(&client))
			_, err := client.Create(t.Context(), nil)
			check.Must(t, err)
		},
	}
}

// run starts the program that a variable names, until the test ends. It returns
// the matches of the pattern in the line in which the program says that it
// listens.
func run(t testing.TB, variable string, listens *regexp.Regexp, arguments ...string) []string {
	t.Helper()
	path := os.Getenv(variable)
	if path == "" {
		t.Skipf("%s names no program: use make test-stores", variable)
	}
	program := exec.CommandContext(t.Context(), path, arguments...)
	output, err := program.StdoutPipe()
	check.Must(t, err)
	check.Must(t, program.Start())
	t.Cleanup(func() { _ = program.Wait() }) // the program was killed with the context
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if found := listens.FindStringSubmatch(lines.Text()); found != nil {
			go func() { _, _ = io.Copy(io.Discard, output) }()
			return found
		}
	}
	t.Fatalf("%s ended before it listened: %v", path, lines.Err())
	return nil
}

// forward sends requests on, with the signed host and encoding.
func forward(t testing.TB, network, address string) http.Handler {
	t.Helper()
	transport := &http.Transport{
		DisableCompression: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &httputil.ReverseProxy{
		Transport: transport,
		// The client tries again until the program listens.
		ErrorLog: log.New(io.Discard, "", 0),
		Rewrite: func(request *httputil.ProxyRequest) {
			request.SetURL(&url.URL{Scheme: "http", Host: "server"})
			request.Out.Host = request.In.Host
		},
	}
}
