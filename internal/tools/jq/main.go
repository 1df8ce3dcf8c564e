// Command jq has the part of jq that the tests of examples need, for machines
// without jq:
//
//	jq [-r] [--arg NAME TEXT] [--argjson NAME JSON] [-f FILE | PROGRAM] [FILE]
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/itchyny/gojq"
)

func main() {
	err := run(os.Args[1:])
	halted, isHalt := errors.AsType[*gojq.HaltError](err)
	switch {
	case isHalt:
		fmt.Fprint(os.Stderr, halted.Value())
		os.Exit(halted.ExitCode())
	case err != nil:
		fmt.Fprintln(os.Stderr, "jq:", err)
		os.Exit(5)
	}
}

type call struct {
	program string
	named   map[string]any
	isRaw   bool
	input   io.Reader
}

func run(arguments []string) error {
	c, err := parse(arguments)
	if err != nil {
		return err
	}
	query, err := gojq.Parse(c.program)
	if err != nil {
		return err
	}
	code, err := gojq.Compile(query, gojq.WithVariables([]string{"$ARGS"}))
	if err != nil {
		return err
	}
	var input any
	if err := json.NewDecoder(c.input).Decode(&input); err != nil {
		return err
	}
	results := code.Run(input, map[string]any{"named": c.named})
	for result, more := results.Next(); more; result, more = results.Next() {
		if err := c.print(result); err != nil {
			return err
		}
	}
	return nil
}

func (c call) print(result any) error {
	if err, isError := result.(error); isError {
		return err
	}
	if text, isText := result.(string); isText && c.isRaw {
		fmt.Println(text)
		return nil
	}
	encoded, err := gojq.Marshal(result)
	if err != nil {
		return err
	}
	fmt.Println(string(encoded))
	return nil
}

// parse reads the command line. The program is the first argument that belongs
// to no option, unless -f gives it. The next argument is the input.
func parse(arguments []string) (call, error) {
	c := call{named: map[string]any{}, input: os.Stdin}
	for len(arguments) > 0 {
		taken := 1
		switch option := arguments[0]; {
		case option == "-r":
			c.isRaw = true
		case option == "-f" && len(arguments) > 1:
			text, err := os.ReadFile(arguments[1])
			if err != nil {
				return c, err
			}
			c.program = string(text)
			taken = 2
		case option == "--arg" && len(arguments) > 2:
			c.named[arguments[1]] = arguments[2]
			taken = 3
		case option == "--argjson" && len(arguments) > 2:
			var value any
			if err := json.Unmarshal([]byte(arguments[2]), &value); err != nil {
				return c, err
			}
			c.named[arguments[1]] = value
			taken = 3
		case c.program == "":
			c.program = option
		default:
			file, err := os.Open(option)
			if err != nil {
				return c, err
			}
			c.input = file
		}
		arguments = arguments[taken:]
	}
	return c, nil
}
