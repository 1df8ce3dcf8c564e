// Command mediagen-mockserver runs the mock service, for tests of modules and
// for trying the provider without an account. Each flag can also be set by a
// variable of the environment, for example -addr by MOCKSERVER_ADDR.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// version is set by the release build.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	err := run(ctx, os.Args[1:], os.Getenv, os.Stdout)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "mediagen-mockserver:", err)
		os.Exit(1)
	}
}

// endings are the signals that end the service. A shell lets a background
// program of a script ignore Ctrl-C, which is meant for the foreground program.
func endings() []os.Signal {
	if signal.Ignored(os.Interrupt) {
		return []os.Signal{syscall.SIGTERM}
	}
	return []os.Signal{os.Interrupt, syscall.SIGTERM}
}

// config contains the flags.
type config struct {
	addr, addressFile, variant string
	version                    bool
	options                    mockserver.Options
	seeds                      seedFlag
}

// greeting tells how to use the service.
const greeting = `The mock service runs until Ctrl-C. Its dashboard:

  %[1]s/_mock/

For the provider:

  export MEDIAGEN_BASE_URL=%[1]s/v2 MEDIAGEN_API_KEY=%[2]s

To get a token by hand:

  curl -X POST -H 'apikey: %[2]s' -H 'Content-Type: application/json' %[1]s/auth/generate-token

Its characters:

%[3]s
`

func run(ctx context.Context, args []string, environment func(variable string) string, out io.Writer) error {
	c, err := parse(args, environment, out)
	if err != nil {
		return err
	}
	if c.version {
		fmt.Fprintln(out, "mediagen-mockserver", version)
		return nil
	}
	c.options.OnBooking = func(entry mockserver.LedgerEntry, balance float64) {
		fmt.Fprintln(out, booking(entry, balance))
	}
	service, err := mockserver.New(c.options)
	if err != nil {
		return err
	}
	for i, seed := range c.seeds {
		c.seeds[i].ID = service.AddCharacter(seed)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	origin := "http://" + listener.Addr().String()
	fmt.Fprintf(out, greeting, origin, cmp.Or(c.options.APIKey, "mock-api-key"), list(c.seeds))
	if c.addressFile != "" {
		if err := os.WriteFile(c.addressFile, []byte(origin+"\n"), 0o600); err != nil {
			return err
		}
	}
	if err := serve(ctx, listener, service); err != nil {
		return err
	}
	fmt.Fprintln(out, remaining(service.State()))
	return nil
}

// serve serves until the context ends, and then lets running requests finish.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		bounded, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		stopped <- server.Shutdown(bounded)
	})
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

func parse(args []string, environment func(variable string) string, out io.Writer) (config, error) {
	var c config
	flags := flag.NewFlagSet("mediagen-mockserver", flag.ContinueOnError)
	flags.StringVar(&c.addr, "addr", "127.0.0.1:8780", "address to listen on; port 0 picks one")
	flags.StringVar(&c.addressFile, "address-file", "", "file to write the service's origin to, once it listens")
	flags.StringVar(
		&c.options.PublicURL,
		"public-url",
		"",
		"origin of the media addresses (default: the one of the request)",
	)
	flags.StringVar(&c.options.APIKey, "api-key", "", "API key that the token exchange accepts (default mock-api-key)")
	flags.Float64Var(&c.options.Balance, "balance", 10_000, "credits to start with")
	flags.Func(
		"fail-prompt",
		"fail the generations of prompts that contain this `text`, repeatable; they cost as much as others",
		func(text string) error {
			c.options.FailPrompts = append(c.options.FailPrompts, text)
			return nil
		},
	)
	flags.DurationVar(
		&c.options.GenerationTime,
		"generation-time",
		30*time.Second,
		"how long a generation takes; 0 ends it at once",
	)
	flags.DurationVar(
		&c.options.TrainingTime,
		"training-time",
		20*time.Minute,
		"how long a training takes; 0 ends it at once",
	)
	flags.DurationVar(
		&c.options.DatasetTime,
		"dataset-time",
		5*time.Minute,
		"how long a dataset takes with -extended; 0 ends it at once",
	)
	flags.DurationVar(&c.options.CaptionTime, "caption-time", 0, "how long the caption of an upload is pending")
	flags.DurationVar(&c.options.TokenLifetime, "token-lifetime", time.Hour, "how long an access token is accepted")
	flags.StringVar(
		&c.variant,
		"variant",
		"plain",
		"behaviour where the contract is open: "+strings.Join(variants(), ", "),
	)
	flags.Var(
		&c.seeds,
		"seed",
		"a character, repeatable: "+
			"id=ID,name=NAME[,description=TEXT][,creator=ID][,face-images=N][,body-images=N]"+
			"[,dataset-images=N][,face-lora][,body-lora]; or none\n(default: what the examples need)",
	)
	flags.BoolVar(&c.options.Extended, "extended", false, "serve the endpoints that only some deployments have, too")
	flags.BoolVar(&c.version, "version", false, "print the version")
	flags.SetOutput(io.Discard) // an error is one line, and help is printed on request
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		help(out, flags)
		return config{}, err
	} else if err != nil {
		return config{}, fmt.Errorf("%w; -help lists the flags", err)
	}
	if err := setByEnvironment(flags, environment); err != nil {
		return config{}, err
	}
	if flags.NArg() > 0 {
		return config{}, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	variant, known := mockserver.Variants()[c.variant]
	if !known {
		return config{}, fmt.Errorf("no variant %q; there are %s", c.variant, strings.Join(variants(), ", "))
	}
	c.options.Variant = variant
	c.zeroIsNothing()
	c.options.OnViolation = func(text string) { fmt.Fprintln(os.Stderr, "violation of the contract:", text) }
	if c.seeds == nil {
		c.seeds = defaultSeeds()
	}
	return c, nil
}

// zeroIsNothing makes 0 mean nothing: in the options, 0 is the default, and a
// negative value means nothing.
func (c *config) zeroIsNothing() {
	c.options.Balance = cmp.Or(c.options.Balance, -1)
	c.options.GenerationTime = cmp.Or(c.options.GenerationTime, -1)
	c.options.TrainingTime = cmp.Or(c.options.TrainingTime, -1)
	c.options.DatasetTime = cmp.Or(c.options.DatasetTime, -1)
}

// setByEnvironment sets the flags that are not given, for example
// -generation-time by MOCKSERVER_GENERATION_TIME: a service container of a CI
// system has an environment, but no arguments. A repeatable flag has one value
// a line.
func setByEnvironment(flags *flag.FlagSet, environment func(variable string) string) (err error) {
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	flags.VisitAll(func(f *flag.Flag) {
		variable := "MOCKSERVER_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if given[f.Name] || err != nil {
			return
		}
		for value := range strings.Lines(environment(variable)) {
			if set := flags.Set(f.Name, strings.TrimSpace(value)); set != nil {
				err = fmt.Errorf("%s: %w", variable, set)
			}
		}
	})
	return err
}

func help(out io.Writer, flags *flag.FlagSet) {
	fmt.Fprintln(
		out,
		"mediagen-mockserver serves a mock of the service, for tests of modules and for trying the provider.\n\nFlags:",
	)
	flags.SetOutput(out)
	flags.PrintDefaults()
	fmt.Fprint(out, "\n", mockserver.Help())
}

func variants() []string { return slices.Sorted(maps.Keys(mockserver.Variants())) }
