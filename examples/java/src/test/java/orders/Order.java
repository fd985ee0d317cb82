package orders;

import java.util.Objects;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSecondaryPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSortKey;

@DynamoDbBean
public class Order {
    private String customer;
    private String id;
    private String status;
    private int total;

    public Order() {}

    public Order(String customer, String id, String status, int total) {
        this.customer = customer;
        this.id = id;
        this.status = status;
        this.total = total;
    }

    @DynamoDbPartitionKey
    public String getCustomer() {
        return customer;
    }

    public void setCustomer(String customer) {
        this.customer = customer;
    }

    @DynamoDbSortKey
    public String getId() {
        return id;
    }

    public void setId(String id) {
        this.id = id;
    }

    @DynamoDbSecondaryPartitionKey(indexNames = "byStatus")
    public String getStatus() {
        return status;
    }

    public void setStatus(String status) {
        this.status = status;
    }

    public int getTotal() {
        return total;
    }

    public void setTotal(int total) {
        this.total = total;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Order && toString().equals(other.toString());
    }

    @Override
    public int hashCode() {
        return Objects.hash(customer, id);
    }

    @Override
    public String toString() {
        return customer + " " + id + " " + status + " " + total;
    }
}
