// guregu/dynamo v2, on the SDK's client.
package orders

import (
	"errors"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"
	"github.com/mockddb/mockddbtest"
)

type task struct {
	Owner string `dynamo:"owner,hash"`
	ID    string `dynamo:"id,range"`
	State string `dynamo:"state" index:"byState,hash"`
	Total int    `dynamo:"total"`
}

// createTasks makes a table from the struct's tags, with an index and a stream.
func createTasks(t *testing.T, world *mockddbtest.World) (*dynamo.DB, dynamo.Table) {
	t.Helper()
	db := dynamo.NewFromIface(newClient(world))
	if err := db.CreateTable("Orders", task{}).OnDemand(true).Stream(dynamo.NewAndOldImagesView).Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db, db.Table("Orders")
}

func TestDynamoPages(t *testing.T) {
	t.Parallel()
	_, table := createTasks(t, mockddbtest.Start(t))
	for number := range 7 {
		if err := table.Put(task{"c1", fmt.Sprint("o", number), "open", number}).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var pages []int
	var start dynamo.PagingKey
	for more := true; more; more = start != nil {
		page := table.Get("state", "open").Index("byState").SearchLimit(3).StartFrom(start).Iter()
		count := 0
		for one := (task{}); page.Next(t.Context(), &one); one = (task{}) {
			count++
		}
		if page.Err() != nil {
			t.Fatal(page.Err())
		}
		pages = append(pages, count)
		start = must(page.LastEvaluatedKey(t.Context()))(t)
	}
	equal(t, fmt.Sprint(pages), "[3 3 1]")
	var last []task
	err := table.Get("owner", "c1").Range("id", dynamo.GreaterOrEqual, "o5").Filter("'total' > ?", 5).All(t.Context(), &last)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, fmt.Sprint(last), "[{c1 o6 open 6}]")
}

func TestDynamoConditionsAndTransactions(t *testing.T) {
	t.Parallel()
	world := mockddbtest.Start(t)
	db, table := createTasks(t, world)
	insert := func(id string) *dynamo.Put {
		return table.Put(task{"c1", id, "open", 1}).If("attribute_not_exists(id)")
	}
	if err := insert("o1").Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := insert("o1").Run(t.Context())
	var refused *types.ConditionalCheckFailedException
	equal(t, errors.As(err, &refused) && dynamo.IsCondCheckFailed(err), true)

	var changed task
	if err := table.Update("owner", "c1").Range("id", "o1").Add("total", 4).Value(t.Context(), &changed); err != nil {
		t.Fatal(err)
	}
	equal(t, changed, task{"c1", "o1", "open", 5})
	if err := db.WriteTx().Put(insert("o2")).Delete(table.Delete("owner", "c1").Range("id", "o1")).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	err = db.WriteTx().Put(insert("o3")).Put(insert("o2")).Run(t.Context())
	var cancelled *types.TransactionCanceledException
	equal(t, errors.As(err, &cancelled) && dynamo.IsCondCheckFailed(err), true)
	equal(t, streamOf(t, world), "INSERT 1, MODIFY 5, INSERT 1, REMOVE 0")
}

func TestDynamoSendsUnprocessedWritesAgain(t *testing.T) {
	t.Parallel()
	world := mockddbtest.Start(t)
	_, table := createTasks(t, world)
	world.Faults.Add(mockddbtest.Rule{"operation": "BatchWriteItem", "times": 1, "unprocessed": 3})
	var tasks []any
	for number := range 30 {
		tasks = append(tasks, task{"c1", fmt.Sprint("o", number), "open", number})
	}
	wrote, err := table.Batch("owner", "id").Write().Put(tasks...).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, wrote, 30)
	equal(t, must(table.Scan().Count(t.Context()))(t), 30)
	world.Assert(mockddbtest.Rule{"no_unretried": true})
}
