#!/bin/sh
# AWS CLI 1: a table with an index, pages, a condition, a transaction, a batch with unprocessed items, a stream.
# From 1.29 on it reads AWS_ENDPOINT_URL_DYNAMODB and AWS_ENDPOINT_URL_DYNAMODB_STREAMS.
set -eu

aws dynamodb create-table --table-name Orders --billing-mode PAY_PER_REQUEST \
    --attribute-definitions AttributeName=customer,AttributeType=S AttributeName=number,AttributeType=N \
    AttributeName=status,AttributeType=S \
    --key-schema AttributeName=customer,KeyType=HASH AttributeName=number,KeyType=RANGE \
    --global-secondary-indexes \
    'IndexName=byStatus,KeySchema=[{AttributeName=status,KeyType=HASH}],Projection={ProjectionType=ALL}' \
    --stream-specification StreamEnabled=true,StreamViewType=NEW_IMAGE >created.json
aws dynamodb wait table-exists --table-name Orders

order() { echo '{"customer": {"S": "c1"}, "number": {"N": "'"$1"'"}, "status": {"S": "open"}}'; }
put() { echo '{"PutRequest": {"Item": '"$(order "$1")"'}}'; }
aws dynamodb batch-write-item --query UnprocessedItems \
    --request-items '{"Orders": ['"$(put 1), $(put 2), $(put 3), $(put 4), $(put 5), $(put 6), $(put 7)"']}' >left.json
[ "$(cat left.json)" = "{}" ] || aws dynamodb batch-write-item --request-items file://left.json >retried.json

aws dynamodb query --table-name Orders --index-name byStatus --page-size 3 \
    --key-condition-expression '#s = :open' --expression-attribute-names '{"#s": "status"}' \
    --expression-attribute-values '{":open": {"S": "open"}}' --query 'length(Items)' --output json >count.json
[ "$(cat count.json)" = 7 ]

! aws dynamodb put-item --table-name Orders --item "$(order 1)" \
    --condition-expression 'attribute_not_exists(customer)' 2>error.txt
grep -q '(ConditionalCheckFailedException) when calling the PutItem operation' error.txt

close() {
    echo '{"Update": {"TableName": "Orders", "Key": {"customer": {"S": "c1"}, "number": {"N": "'"$1"'"}},
        "UpdateExpression": "SET #s = :closed", "ConditionExpression": "#s = :open",
        "ExpressionAttributeNames": {"#s": "status"},
        "ExpressionAttributeValues": {":open": {"S": "open"}, ":closed": {"S": "closed"}}}}'
}
aws dynamodb transact-write-items --transact-items "[$(close 1), $(close 2)]"
! aws dynamodb transact-write-items --transact-items "[$(close 3), $(close 2)]" 2>error.txt
grep -q 'specific reasons \[None, ConditionalCheckFailed\]' error.txt

stream=$(aws dynamodbstreams list-streams --table-name Orders --query 'Streams[0].StreamArn' --output text)
shard=$(aws dynamodbstreams describe-stream --stream-arn "$stream" \
    --query 'StreamDescription.Shards[0].ShardId' --output text)
iterator=$(aws dynamodbstreams get-shard-iterator --stream-arn "$stream" --shard-id "$shard" \
    --shard-iterator-type TRIM_HORIZON --query ShardIterator --output text)
aws dynamodbstreams get-records --shard-iterator "$iterator" --query 'length(Records)' >count.json
[ "$(cat count.json)" = 9 ]
aws --version | sed 's|aws-cli/\([^ ]*\) .*|awscli \1|'
