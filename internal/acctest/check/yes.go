package check

import (
	"reflect"
	"strings"
)

// Yes names the questions that a value answers with yes: its methods without
// parameters, in alphabetical order. A question that the type gains is among them.
func Yes(value any) string {
	var yes []string
	of := reflect.ValueOf(value)
	for i := range of.NumMethod() {
		question, isQuestion := reflect.TypeAssert[func() bool](of.Method(i))
		if isQuestion && question() {
			yes = append(yes, of.Type().Method(i).Name)
		}
	}
	return strings.Join(yes, " ")
}
