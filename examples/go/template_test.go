// Tables from a SAM template: each test has them, empty, and its own clock and faults.
package orders

import (
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/mockddb/mockddbtest"
)

func TestTablesOfATemplate(t *testing.T) {
	t.Parallel()
	for number := range 20 {
		t.Run(fmt.Sprint("payment ", number), func(t *testing.T) {
			t.Parallel()
			world := mockddbtest.Start(t, mockddbtest.Fixtures("template.yaml"),
				mockddbtest.FrozenAt(time.Date(2026, 1, 1+number, 0, 0, 0, 0, time.UTC)))
			world.Faults.Add(mockddbtest.Rule{"operation": "PutItem", "times": 1, "error": "ThrottlingException"})
			client := newClient(world)
			day := &types.AttributeValueMemberS{Value: world.Clock.Now().Format(time.DateOnly)}
			must(client.PutItem(t.Context(), &dynamodb.PutItemInput{
				TableName: aws.String("test-Payments"),
				Item: map[string]types.AttributeValue{
					"id": &types.AttributeValueMemberS{Value: t.Name()}, "day": day,
				},
			}))(t)
			equal(t, len(world.Journal.Entries("operation=PutItem")), 2)
			found := must(client.Query(t.Context(), &dynamodb.QueryInput{
				TableName: aws.String("test-Payments"), IndexName: aws.String("byDay"),
				KeyConditionExpression:    aws.String("#d = :d"),
				ExpressionAttributeNames:  map[string]string{"#d": "day"},
				ExpressionAttributeValues: map[string]types.AttributeValue{":d": day},
			}))(t)
			equal(t, found.Count, 1)
			equal(t, must(client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("test-Payments")}))(t).Count, 1)
		})
	}
}
