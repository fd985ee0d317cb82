package orders;

import io.github.mockddb.World;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.regions.Region;

final class Clients {
    private Clients() {}

    /** A client of the SDK for Java 2 that uses a world. */
    static <C, B extends AwsClientBuilder<B, C>> B of(B builder, World world) {
        return builder.endpointOverride(URI.create(world.server().url()))
                .region(Region.of(world.region()))
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(world.accessKeyId(), world.secretAccessKey())));
    }
}
