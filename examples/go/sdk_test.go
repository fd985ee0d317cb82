// The AWS SDK for Go v2, with its packages attributevalue and expression.
package orders

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/mockddb/mockddbtest"
)

type order struct {
	Customer string `dynamodbav:"customer"`
	ID       string `dynamodbav:"id"`
	Status   string `dynamodbav:"status"`
	Total    int    `dynamodbav:"total"`
}

func credentialsOf(world *mockddbtest.World) aws.CredentialsProvider {
	return credentials.NewStaticCredentialsProvider(world.AccessKeyID, world.SecretAccessKey, "")
}

func newClient(world *mockddbtest.World, more ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region:       world.Region,
		BaseEndpoint: &world.URL,
		Credentials:  credentialsOf(world),
	}, more...)
}

func must[T any](value T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func equal[T comparable](t *testing.T, actual, expected T) {
	t.Helper()
	if actual != expected {
		t.Errorf("%v, not %v", actual, expected)
	}
}

// createOrders makes a table with an index and a stream.
func createOrders(t *testing.T, client *dynamodb.Client) {
	t.Helper()
	must(client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName:   aws.String("Orders"),
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("customer"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("status"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("customer"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("id"), KeyType: types.KeyTypeRange},
		},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName:  aws.String("byStatus"),
			KeySchema:  []types.KeySchemaElement{{AttributeName: aws.String("status"), KeyType: types.KeyTypeHash}},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		}},
		StreamSpecification: &types.StreamSpecification{
			StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages,
		},
	}))(t)
	waiter := dynamodb.NewTableExistsWaiter(client)
	if err := waiter.Wait(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("Orders")}, time.Minute); err != nil {
		t.Fatal(err)
	}
}

func item(t *testing.T, o order) map[string]types.AttributeValue {
	t.Helper()
	return must(attributevalue.MarshalMap(o))(t)
}

func put(t *testing.T, client *dynamodb.Client, o order) {
	t.Helper()
	must(client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("Orders"), Item: item(t, o)}))(t)
}

func key(customer, id string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		"customer": &types.AttributeValueMemberS{Value: customer},
		"id":       &types.AttributeValueMemberS{Value: id},
	}
}

func TestQueryOfAllPages(t *testing.T) {
	t.Parallel()
	client := newClient(mockddbtest.Start(t))
	createOrders(t, client)
	for number := range 7 {
		put(t, client, order{"c1", fmt.Sprint("o", number), "open", number})
	}
	query := must(expression.NewBuilder().
		WithKeyCondition(expression.Key("status").Equal(expression.Value("open"))).
		WithFilter(expression.Name("total").GreaterThan(expression.Value(2))).Build())(t)
	pages := dynamodb.NewQueryPaginator(client, &dynamodb.QueryInput{
		TableName: aws.String("Orders"), IndexName: aws.String("byStatus"), Limit: aws.Int32(3),
		KeyConditionExpression: query.KeyCondition(), FilterExpression: query.Filter(),
		ExpressionAttributeNames: query.Names(), ExpressionAttributeValues: query.Values(),
	})
	read, sum, count := 0, 0, 0
	for ; pages.HasMorePages(); count++ {
		page := must(pages.NextPage(t.Context()))(t)
		var found []order
		if err := attributevalue.UnmarshalListOfMaps(page.Items, &found); err != nil {
			t.Fatal(err)
		}
		read += int(page.ScannedCount)
		for _, o := range found {
			sum += o.Total
		}
	}
	equal(t, count, 3)
	equal(t, read, 7)
	equal(t, sum, 3+4+5+6)
}

func TestRefusedCondition(t *testing.T) {
	t.Parallel()
	client := newClient(mockddbtest.Start(t))
	createOrders(t, client)
	put(t, client, order{"c1", "o1", "open", 5})
	update := must(expression.NewBuilder().
		WithUpdate(expression.Set(expression.Name("status"), expression.Value("sent"))).
		WithCondition(expression.Name("total").GreaterThan(expression.Value(9))).Build())(t)
	_, err := client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String("Orders"), Key: key("c1", "o1"),
		UpdateExpression: update.Update(), ConditionExpression: update.Condition(),
		ExpressionAttributeNames: update.Names(), ExpressionAttributeValues: update.Values(),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	var refused *types.ConditionalCheckFailedException
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	var old order
	if err := attributevalue.UnmarshalMap(refused.Item, &old); err != nil {
		t.Fatal(err)
	}
	equal(t, old, order{"c1", "o1", "open", 5})
}

func TestTransaction(t *testing.T) {
	t.Parallel()
	client := newClient(mockddbtest.Start(t))
	createOrders(t, client)
	write := func(ids ...string) error {
		var puts []types.TransactWriteItem
		for _, id := range ids {
			puts = append(puts, types.TransactWriteItem{Put: &types.Put{
				TableName: aws.String("Orders"), Item: item(t, order{"c1", id, "open", 1}),
				ConditionExpression: aws.String("attribute_not_exists(id)"),
			}})
		}
		_, err := client.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: puts})
		return err
	}
	if err := write("o1", "o2"); err != nil {
		t.Fatal(err)
	}
	var cancelled *types.TransactionCanceledException
	if err := write("o3", "o2"); !errors.As(err, &cancelled) {
		t.Fatal(err)
	}
	equal(t, *cancelled.CancellationReasons[0].Code, "None")
	equal(t, *cancelled.CancellationReasons[1].Code, "ConditionalCheckFailed")
	all := must(client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("Orders")}))(t)
	equal(t, all.Count, 2)
}

func TestUnprocessedWrites(t *testing.T) {
	t.Parallel()
	world := mockddbtest.Start(t)
	client := newClient(world)
	createOrders(t, client)
	world.Faults.Add(mockddbtest.Rule{"operation": "BatchWriteItem", "times": 1, "unprocessed": 3})
	var writes []types.WriteRequest
	for number := range 10 {
		o := order{"c1", fmt.Sprint("o", number), "open", number}
		writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: item(t, o)}})
	}
	var sent []int
	for left := map[string][]types.WriteRequest{"Orders": writes}; len(left) > 0; {
		sent = append(sent, len(left["Orders"]))
		left = must(client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: left}))(t).UnprocessedItems
	}
	equal(t, fmt.Sprint(sent), "[10 3]")
	equal(t, must(client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("Orders")}))(t).Count, 10)
	world.Assert(mockddbtest.Rule{"no_unretried": true})
}

// streamOf reads the records of the table's stream: their events and the totals of new images.
func streamOf(t *testing.T, world *mockddbtest.World) string {
	t.Helper()
	client := dynamodbstreams.New(dynamodbstreams.Options{
		Region: world.Region, BaseEndpoint: &world.URL, Credentials: credentialsOf(world),
	})
	streams := must(client.ListStreams(t.Context(), &dynamodbstreams.ListStreamsInput{TableName: aws.String("Orders")}))(t)
	arn := streams.Streams[0].StreamArn
	shards := must(client.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: arn}))(t)
	var seen []string
	for _, shard := range shards.StreamDescription.Shards {
		iterator := must(client.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{
			StreamArn: arn, ShardId: shard.ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
		}))(t)
		answer := must(client.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: iterator.ShardIterator}))(t)
		for _, record := range answer.Records {
			var image struct {
				Total int `dynamodbav:"total"`
			}
			if err := attributevalue.UnmarshalMap(must(attributevalue.FromDynamoDBStreamsMap(record.Dynamodb.NewImage))(t), &image); err != nil {
				t.Fatal(err)
			}
			seen = append(seen, fmt.Sprint(record.EventName, " ", image.Total))
		}
	}
	return strings.Join(seen, ", ")
}

func TestStream(t *testing.T) {
	t.Parallel()
	world := mockddbtest.Start(t)
	client := newClient(world)
	createOrders(t, client)
	put(t, client, order{"c1", "o1", "open", 1})
	put(t, client, order{"c1", "o1", "open", 2})
	must(client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("Orders"), Key: key("c1", "o1")}))(t)
	equal(t, streamOf(t, world), "INSERT 1, MODIFY 2, REMOVE 0")
}

func TestThrottledWriteIsSentAgain(t *testing.T) {
	t.Parallel()
	world := mockddbtest.Start(t, mockddbtest.FrozenAt(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
	client := newClient(world)
	createOrders(t, client)
	world.Faults.Add(mockddbtest.Rule{"operation": "PutItem", "times": 1, "error": "ThrottlingException"})
	put(t, client, order{"c1", "o1", "open", 1})
	puts := world.Journal.Entries("operation=PutItem")
	equal(t, len(puts), 2)
	equal(t, puts[0].Error, "ThrottlingException")
	equal(t, puts[1].Status, http.StatusOK)
	world.Clock.Advance(25 * time.Hour)
	equal(t, world.Clock.Now().Format(time.DateTime), "2026-01-02 01:00:00")
}

func TestExplanation(t *testing.T) {
	t.Parallel()
	world := mockddbtest.Start(t)
	client := newClient(world, func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, smithyhttp.SetHeaderValue("x-mockddb-explain", "true"))
	})
	createOrders(t, client)
	answer := must(client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("Orders")}))(t)
	response := awsmiddleware.GetRawResponse(answer.ResultMetadata).(*smithyhttp.Response)
	id := response.Header.Get("x-mockddb-explain")
	request := must(http.NewRequest("GET", world.URL+"/_mockddb/explanations/"+id, nil))(t)
	request.Header.Set("x-mockddb-world", world.Name)
	reply := must(http.DefaultClient.Do(request))(t)
	defer reply.Body.Close()
	var answered struct{ Explanation struct{ Text string } }
	if err := json.NewDecoder(reply.Body).Decode(&answered); err != nil {
		t.Fatal(err)
	}
	equal(t, reply.StatusCode, http.StatusOK)
	equal(t, strings.Contains(answered.Explanation.Text, "Orders"), true)
}
