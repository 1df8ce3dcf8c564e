package main

import (
	"context"
	"fmt"
	"strings"
)

// tale is an example, and what happens to it.
type tale struct {
	// example is its directory.
	example string
	// service are flags of the mock service, and stays is how many characters
	// it has at the beginning and the end.
	service []string
	stays   int
	// pictures are the ids of the generations, as an expression in the example.
	pictures string
	steps    []func(*story, context.Context) error
}

// tales are what the demo can tell, by what the service has at first.
var tales = map[string]tale{"characters": fromCharacters, "nothing": fromNothing}

// story is a tale that is being told.
type story struct {
	tale
	service  *service
	terminal *terminal
	keep     bool
	// variables are what the configuration was given last.
	variables []string
	// directory is for the downloaded pictures; sheet is the address of the page
	// that shows them, empty without one.
	directory, sheet string
}

func (s *story) tell(ctx context.Context) error {
	for _, step := range append(s.steps, (*story).download, (*story).destroy) {
		if err := step(s, ctx); err != nil {
			return err
		}
	}
	if s.sheet != "" {
		say("The pictures were deleted at the service; here they are: %s", s.sheet)
	}
	return nil
}

// booked runs a command, and returns the ledger and what was bought meanwhile.
func (s *story) booked(ctx context.Context, name string, arguments ...string) (after, bought ledger, err error) {
	before, err := s.service.ledger(ctx)
	if err == nil {
		err = s.terminal.run(ctx, name, arguments...)
	}
	if err == nil {
		after, err = s.service.ledger(ctx)
	}
	if err != nil {
		return ledger{}, ledger{}, err
	}
	return after, after.since(before), nil
}

// buy plans and applies, and checks that the plan, the ledger and the state
// agree.
func (s *story) buy(ctx context.Context, want purchases) error {
	announced, err := s.terminal.plan(ctx, s.variables...)
	if err != nil {
		return err
	}
	if announced != want {
		return fmt.Errorf("the plan buys %s, not %s", announced, want)
	}
	after, bought, err := s.booked(ctx, "apply", planFile)
	if err != nil {
		return err
	}
	if bought := bought.purchases(); bought != announced {
		return fmt.Errorf("the plan announced %s, and %s were bought", announced, bought)
	}
	held, credits, err := s.terminal.held(ctx)
	if err != nil {
		return err
	}
	if held != after.purchases() || credits != after.credits() {
		return fmt.Errorf(
			"the state has %s for %g credits, the ledger %s for %g",
			held,
			credits,
			after.purchases(),
			after.credits(),
		)
	}
	show(fmt.Sprintf("Ledger and state agree: %s for %g credits; %g are left.", held, credits, after.Balance))
	return nil
}

func (s *story) planAgain(ctx context.Context) error {
	say("plan: nothing has changed.")
	return s.terminal.run(ctx, "plan", append([]string{"-detailed-exitcode"}, s.variables...)...)
}

// destroy destroys everything, unless it is to be kept.
func (s *story) destroy(ctx context.Context) error {
	if s.keep {
		s.explain()
		return nil
	}
	say("destroy: what the plan says is deleted, and the rest forgotten.")
	_, bought, err := s.booked(ctx, "destroy", append([]string{"-auto-approve"}, s.variables...)...)
	if err != nil {
		return err
	}
	left, err := s.service.state(ctx)
	if err != nil {
		return err
	}
	if left.Media != 0 || len(left.Groups) != 0 || len(left.Characters) != s.stays || len(bought.Entries) != 0 {
		return fmt.Errorf("the destroy has left %d media, %d groups and %d characters, and bought %s",
			left.Media, len(left.Groups), len(left.Characters), bought.purchases())
	}
	stays := count(s.stays, "character")
	if s.stays > 0 {
		stays += " with images and LoRAs"
	}
	show(fmt.Sprintf("What stays at the service: %s, no groups, no media.", stays))
	return nil
}

func (s *story) explain() {
	say("The service is left up. To look around:")
	fmt.Printf(`    dashboard      %s
    configuration  %s
    environment    export MEDIAGEN_BASE_URL=%s MEDIAGEN_API_KEY=%s TF_CLI_CONFIG_FILE=%s
    commands       cd %s && %s plan%s
    stop           kill %d

`, s.service.dashboard(), s.terminal.workspace, s.service.baseURL(), apiKey, s.terminal.cliConfig,
		s.terminal.workspace, s.terminal.cli, quoted(s.variables), s.service.process.Pid)
}

// quoted are arguments for a shell.
func quoted(arguments []string) (text string) {
	for _, argument := range arguments {
		text += " '" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
	}
	return text
}
