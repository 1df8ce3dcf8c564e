// Command rego evaluates a query of a policy on the JSON that it reads, like
// `opa eval`, but with only that part of Open Policy Agent.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/open-policy-agent/opa/v1/rego"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: rego <policy> <query> <input.json")
		os.Exit(2)
	}
	if err := eval(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// eval prints the value of the query.
func eval(policy, query string) error {
	var input any
	if err := json.NewDecoder(os.Stdin).Decode(&input); err != nil {
		return err
	}
	results, err := rego.New(rego.Query(query), rego.Load([]string{policy}, nil), rego.Input(input)).
		Eval(context.Background())
	if err != nil {
		return err
	}
	if len(results) != 1 {
		return errors.New("the query is undefined")
	}
	return json.NewEncoder(os.Stdout).Encode(results[0].Expressions[0].Value)
}
