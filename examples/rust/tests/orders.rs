//! The AWS SDK for Rust, its client for streams, and serde_dynamo.

use aws_sdk_dynamodb::client::Waiters;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection,
    ProjectionType, Put, PutRequest, ReturnValuesOnConditionCheckFailure, ScalarAttributeType, StreamSpecification,
    StreamViewType, TransactWriteItem, WriteRequest,
};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodbstreams::types::ShardIteratorType;
use mockddb::{Server, World};
use serde::{Deserialize, Serialize};
use serde_dynamo::aws_sdk_dynamodb_1::{from_item, from_items, to_item};
use std::collections::HashMap;
use std::error::Error;
use std::time::Duration;

type Outcome = Result<(), Box<dyn Error>>;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Order {
    customer: String,
    id: String,
    status: String,
    total: u32,
}

fn order(id: &str, total: u32) -> Order {
    Order { customer: "c1".to_owned(), id: id.to_owned(), status: "open".to_owned(), total }
}

fn item(id: &str, total: u32) -> HashMap<String, AttributeValue> {
    to_item(order(id, total)).unwrap()
}

/// A client that uses the world. It speaks plain HTTP, and so does without the code for TLS.
fn client_of(world: &World) -> Client {
    Client::from_conf(
        aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .http_client(aws_smithy_http_client::Builder::new().build_http())
            .endpoint_url(world.url())
            .region(Region::new(world.region().to_owned()))
            .credentials_provider(Credentials::new(
                world.access_key_id(),
                world.secret_access_key(),
                None,
                None,
                "test",
            ))
            .build(),
    )
}

/// Makes a table with an index and a stream in a new world.
async fn orders(test: &str) -> Result<(World, Client), Box<dyn Error>> {
    let world = Server::shared()?.new_world(test)?;
    let client = client_of(&world);
    let attribute = |name| {
        AttributeDefinition::builder().attribute_name(name).attribute_type(ScalarAttributeType::S).build().unwrap()
    };
    let key = |name, kind| KeySchemaElement::builder().attribute_name(name).key_type(kind).build().unwrap();
    client
        .create_table()
        .table_name("Orders")
        .billing_mode(BillingMode::PayPerRequest)
        .set_attribute_definitions(Some(["customer", "id", "status"].map(attribute).to_vec()))
        .key_schema(key("customer", KeyType::Hash))
        .key_schema(key("id", KeyType::Range))
        .global_secondary_indexes(
            GlobalSecondaryIndex::builder()
                .index_name("byStatus")
                .key_schema(key("status", KeyType::Hash))
                .projection(Projection::builder().projection_type(ProjectionType::All).build())
                .build()?,
        )
        .stream_specification(
            StreamSpecification::builder()
                .stream_enabled(true)
                .stream_view_type(StreamViewType::NewAndOldImages)
                .build()?,
        )
        .send()
        .await?;
    client.wait_until_table_exists().table_name("Orders").wait(Duration::from_secs(60)).await?;
    Ok((world, client))
}

async fn put(client: &Client, id: &str, total: u32) -> Outcome {
    client.put_item().table_name("Orders").set_item(Some(item(id, total))).send().await?;
    Ok(())
}

#[tokio::test]
async fn query_of_all_pages() -> Outcome {
    let (_world, client) = orders("pages").await?;
    for number in 0..7 {
        put(&client, &format!("o{number}"), number).await?;
    }
    let mut pages = client
        .query()
        .table_name("Orders")
        .index_name("byStatus")
        .limit(3)
        .key_condition_expression("#s = :s")
        .filter_expression("#t > :t")
        .expression_attribute_names("#s", "status")
        .expression_attribute_names("#t", "total")
        .expression_attribute_values(":s", AttributeValue::S("open".to_owned()))
        .expression_attribute_values(":t", AttributeValue::N("2".to_owned()))
        .into_paginator()
        .send();
    let (mut read, mut found) = (Vec::new(), 0);
    while let Some(page) = pages.next().await {
        let page = page?;
        read.push(page.scanned_count());
        found += from_items::<Order>(page.items.unwrap_or_default())?.iter().map(|order| order.total).sum::<u32>();
    }
    assert_eq!((read, found), (vec![3, 3, 1], 3 + 4 + 5 + 6));
    Ok(())
}

#[tokio::test]
async fn refused_condition() -> Outcome {
    let (_world, client) = orders("condition").await?;
    put(&client, "o1", 5).await?;
    let error = client
        .put_item()
        .table_name("Orders")
        .set_item(Some(item("o1", 6)))
        .condition_expression("attribute_not_exists(id)")
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .send()
        .await
        .unwrap_err()
        .into_service_error();
    let aws_sdk_dynamodb::operation::put_item::PutItemError::ConditionalCheckFailedException(refused) = error else {
        return Err(error.into());
    };
    assert_eq!(from_item::<Order>(refused.item.unwrap_or_default())?, order("o1", 5));
    Ok(())
}

#[tokio::test]
async fn transaction() -> Outcome {
    let (_world, client) = orders("transaction").await?;
    let insert = |ids: [&str; 2]| {
        let puts = ids.map(|id| {
            let put = Put::builder()
                .table_name("Orders")
                .set_item(Some(item(id, 1)))
                .condition_expression("attribute_not_exists(id)")
                .build()
                .unwrap();
            TransactWriteItem::builder().put(put).build()
        });
        client.transact_write_items().set_transact_items(Some(puts.to_vec())).send()
    };
    insert(["o1", "o2"]).await?;
    let error = insert(["o3", "o2"]).await.unwrap_err().into_service_error();
    let TransactWriteItemsError::TransactionCanceledException(cancelled) = error else {
        return Err(error.into());
    };
    let codes: Vec<_> = cancelled.cancellation_reasons().iter().filter_map(|reason| reason.code()).collect();
    assert_eq!(codes, ["None", "ConditionalCheckFailed"]);
    assert_eq!(client.scan().table_name("Orders").send().await?.count(), 2);
    Ok(())
}

#[tokio::test]
async fn unprocessed_writes() -> Outcome {
    let (world, client) = orders("batch").await?;
    world.faults().add(r#"[{"operation": "BatchWriteItem", "times": 1, "unprocessed": 3}]"#)?;
    let write = |number: u32| {
        let put = PutRequest::builder().set_item(Some(item(&format!("o{number}"), number))).build().unwrap();
        WriteRequest::builder().put_request(put).build()
    };
    let mut left = HashMap::from([("Orders".to_owned(), (0..10).map(write).collect::<Vec<_>>())]);
    let mut sent = Vec::new();
    while !left.is_empty() {
        sent.push(left["Orders"].len());
        let answer = client.batch_write_item().set_request_items(Some(left)).send().await?;
        left = answer.unprocessed_items.unwrap_or_default();
    }
    assert_eq!(sent, [10, 3]);
    assert_eq!(client.scan().table_name("Orders").send().await?.count(), 10);
    world.assert_that(r#"[{"no_unretried": true}]"#)?;
    Ok(())
}

#[tokio::test]
async fn stream() -> Outcome {
    let (world, client) = orders("stream").await?;
    put(&client, "o1", 1).await?;
    put(&client, "o1", 2).await?;
    let key = |name: &str| AttributeValue::S(name.to_owned());
    client.delete_item().table_name("Orders").key("customer", key("c1")).key("id", key("o1")).send().await?;
    let streams = aws_sdk_dynamodbstreams::Client::from_conf(
        aws_sdk_dynamodbstreams::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .http_client(aws_smithy_http_client::Builder::new().build_http())
            .endpoint_url(world.url())
            .region(Region::new(world.region().to_owned()))
            .credentials_provider(Credentials::new(
                world.access_key_id(),
                world.secret_access_key(),
                None,
                None,
                "test",
            ))
            .build(),
    );
    let listed = streams.list_streams().table_name("Orders").send().await?;
    let arn = listed.streams()[0].stream_arn().unwrap_or_default();
    let described = streams.describe_stream().stream_arn(arn).send().await?;
    let mut seen = Vec::new();
    for shard in described.stream_description().unwrap().shards() {
        let iterator = streams
            .get_shard_iterator()
            .stream_arn(arn)
            .set_shard_id(shard.shard_id.clone())
            .shard_iterator_type(ShardIteratorType::TrimHorizon)
            .send()
            .await?;
        let answer = streams.get_records().set_shard_iterator(iterator.shard_iterator).send().await?;
        for record in answer.records.unwrap_or_default() {
            let image = record.dynamodb.and_then(|change| change.new_image);
            let total =
                image.map(|image| serde_dynamo::aws_sdk_dynamodbstreams_1::from_item::<Order>(image).unwrap().total);
            seen.push(format!("{:?} {:?}", record.event_name.unwrap(), total));
        }
    }
    assert_eq!(seen, ["Insert Some(1)", "Modify Some(2)", "Remove None"]);
    Ok(())
}

#[tokio::test]
async fn throttled_write_is_sent_again() -> Outcome {
    let (world, client) = orders("throttled").await?;
    world.faults().add(r#"[{"operation": "PutItem", "times": 1, "error": "ThrottlingException"}]"#)?;
    put(&client, "o1", 1).await?;
    let puts = world.journal().entries(&["operation=PutItem"])?;
    assert!(puts.len() == 2 && puts[0].contains("ThrottlingException"), "{puts:?}");
    Ok(())
}
