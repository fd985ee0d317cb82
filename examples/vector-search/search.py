import boto3

dynamodb = boto3.client("dynamodb")


def vector(*floats):
    return [{"N": repr(number)} for number in floats]


dynamodb.create_table(
    TableName="Articles",
    BillingMode="PAY_PER_REQUEST",
    AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
    KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
    VectorIndexes=[
        {
            "IndexName": "by-meaning",
            "VectorAttribute": {"AttributeName": "embedding"},
            "Dimensions": 3,
            "DistanceFunction": "COSINE",
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }
    ],
)
for name, embedding in {"cat": vector(1.0, 0.1, 0.0), "car": vector(0.0, 0.1, 1.0)}.items():
    dynamodb.put_item(TableName="Articles", Item={"id": {"S": name}, "embedding": {"L": embedding}})
found = dynamodb.search_vectors(
    TableName="Articles", IndexName="by-meaning", SearchVector=vector(1.0, 0.0, 0.0), TopK=2
)
for result in found["SearchResults"]:
    print(result["Item"]["id"]["S"], round(result["Score"], 3))
