// Command linearizable reads the history of some registers from standard input and prints, for each of them, whether
// it is linearizable.
//
// A line of the input is one operation as JSON (see operation). Each value is written once in a history. Writes of
// which no client has learned the outcome may have been done at any time after their call, or never.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

const patience = 5 * time.Minute // for one register

type operation struct {
	Key      string `json:"key"`
	Client   int    `json:"client"`
	Kind     string `json:"kind"`     // get, put or swap: a put on the condition that the register is Expected
	Value    string `json:"value"`    // that it writes
	Expected string `json:"expected"` // by a swap
	Seen     string `json:"seen"`     // by a get, or by a swap that was not done
	Outcome  string `json:"outcome"`  // done, refused (a swap whose condition failed) or unknown
	Call     int64  `json:"call"`     // nanoseconds
	Return   int64  `json:"return"`
}

func step(state, input, _ any) (bool, any) {
	is, op := state.(string), input.(operation)
	switch {
	case op.Kind == "get":
		return op.Seen == is, is
	case op.Kind == "put":
		return true, op.Value
	case op.Outcome == "refused":
		return op.Seen == is && op.Expected != is, is
	}
	return op.Expected == is, op.Value
}

// A write of unknown outcome whose value no operation has seen changes nothing about the others if it is left out:
// between it and the next write there is no operation.
func history(operations []operation) []porcupine.Operation {
	seen := map[string]bool{}
	for _, op := range operations {
		seen[op.Seen] = true
		if op.Kind == "swap" && op.Outcome != "refused" {
			seen[op.Expected] = true
		}
	}
	var out []porcupine.Operation
	for _, op := range operations {
		if op.Outcome == "unknown" {
			if op.Kind == "get" || !seen[op.Value] {
				continue
			}
			op.Return = math.MaxInt64
		}
		out = append(out, porcupine.Operation{ClientId: op.Client, Input: op, Call: op.Call, Return: op.Return})
	}
	return out
}

func main() {
	registers := map[string][]operation{}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var op operation
		if err := json.Unmarshal(lines.Bytes(), &op); err != nil {
			log.Fatal(err)
		}
		registers[op.Key] = append(registers[op.Key], op)
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
	model := porcupine.Model{Init: func() any { return "" }, Step: step}
	var keys []string
	for key := range registers {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		fmt.Println(key, porcupine.CheckOperationsTimeout(model, history(registers[key]), patience))
	}
}
