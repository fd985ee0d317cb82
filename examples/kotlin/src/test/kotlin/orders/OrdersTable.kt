package orders

import aws.sdk.kotlin.runtime.auth.credentials.StaticCredentialsProvider
import aws.sdk.kotlin.services.dynamodb.DynamoDbClient
import aws.sdk.kotlin.services.dynamodb.createTable
import aws.sdk.kotlin.services.dynamodb.model.AttributeDefinition
import aws.sdk.kotlin.services.dynamodb.model.AttributeValue
import aws.sdk.kotlin.services.dynamodb.model.BillingMode
import aws.sdk.kotlin.services.dynamodb.model.GlobalSecondaryIndex
import aws.sdk.kotlin.services.dynamodb.model.KeySchemaElement
import aws.sdk.kotlin.services.dynamodb.model.KeyType
import aws.sdk.kotlin.services.dynamodb.model.Projection
import aws.sdk.kotlin.services.dynamodb.model.ProjectionType
import aws.sdk.kotlin.services.dynamodb.model.ScalarAttributeType
import aws.sdk.kotlin.services.dynamodb.model.StreamSpecification
import aws.sdk.kotlin.services.dynamodb.model.StreamViewType
import aws.sdk.kotlin.services.dynamodb.putItem
import aws.sdk.kotlin.services.dynamodb.waiters.waitUntilTableExists
import aws.smithy.kotlin.runtime.net.url.Url
import io.github.mockddb.World
import io.github.mockddb.junit5.MockddbTest
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach

/** Tests that begin with a table of orders in the world of their class. */
@MockddbTest
abstract class OrdersTable(protected val world: World) {
    protected val endpoint = Url.parse(world.server().url())
    protected val credentials = StaticCredentialsProvider {
        accessKeyId = world.accessKeyId()
        secretAccessKey = world.secretAccessKey()
    }
    protected val client = DynamoDbClient {
        region = world.region()
        endpointUrl = endpoint
        credentialsProvider = credentials
    }

    @BeforeEach
    fun createTable() = runBlocking<Unit> {
        client.createTable {
            tableName = "Orders"
            billingMode = BillingMode.PayPerRequest
            attributeDefinitions = listOf("customer", "id", "status").map { name ->
                AttributeDefinition {
                    attributeName = name
                    attributeType = ScalarAttributeType.S
                }
            }
            keySchema = listOf(key("customer", KeyType.Hash), key("id", KeyType.Range))
            globalSecondaryIndexes = listOf(
                GlobalSecondaryIndex {
                    indexName = "byStatus"
                    keySchema = listOf(key("status", KeyType.Hash))
                    projection = Projection { projectionType = ProjectionType.All }
                },
            )
            streamSpecification = StreamSpecification {
                streamEnabled = true
                streamViewType = StreamViewType.NewAndOldImages
            }
        }
        client.waitUntilTableExists { tableName = "Orders" }
    }

    @AfterEach
    fun close() = client.close()

    private fun key(name: String, type: KeyType) = KeySchemaElement {
        attributeName = name
        keyType = type
    }

    protected fun keyOf(id: String) = mapOf("customer" to AttributeValue.S("c1"), "id" to AttributeValue.S(id))

    protected fun order(id: String, total: Int) =
        keyOf(id) + mapOf("status" to AttributeValue.S("open"), "total" to AttributeValue.N("$total"))

    protected suspend fun put(id: String, total: Int) = client.putItem {
        tableName = "Orders"
        item = order(id, total)
    }
}
