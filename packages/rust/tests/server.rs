use mockddb::{Error, Result, Server, World};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn new_year() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600)
}

/// Sends an operation to the world, and returns the answer's body.
fn call(world: &World, operation: &str, body: &str) -> String {
    let host = world.url().strip_prefix("http://").unwrap();
    let key = world.access_key_id();
    let request = format!(
        "POST / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/x-amz-json-1.0\r\n\
         X-Amz-Target: DynamoDB_20120810.{operation}\r\nX-Amz-Date: 20240101T000000Z\r\n\
         Authorization: AWS4-HMAC-SHA256 Credential={key}/20240101/us-east-1/dynamodb/aws4_request, \
         SignedHeaders=host, Signature=0\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut connection = TcpStream::connect(host).unwrap();
    connection.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    answer.split_once("\r\n\r\n").unwrap().1.to_owned()
}

fn create_table(world: &World, name: &str) {
    let answer = call(
        world,
        "CreateTable",
        &format!(
            r#"{{"TableName": "{name}", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{{"AttributeName": "id", "AttributeType": "S"}}],
            "KeySchema": [{{"AttributeName": "id", "KeyType": "HASH"}}]}}"#
        ),
    );
    assert!(answer.contains("TableArn"), "{answer}");
}

fn tables(world: &World) -> String {
    call(world, "ListTables", "{}")
}

/// It is refused, with one line that has this text.
fn refused<T: std::fmt::Debug>(why: &str, result: Result<T>) {
    let text = result.unwrap_err().to_string();
    assert!(text.contains(why) && !text.contains('\n'), "{text}");
}

#[test]
fn worlds_do_not_meet() -> Result<()> {
    let server = Server::shared()?;
    let one = server.new_world("a test's name/with: such")?;
    let two = server.new_world("a test's name/with: such")?;
    assert_eq!((one.name(), two.name()), ("t-a_test_s_name_with__such", "t-a_test_s_name_with__such-2"));
    assert_eq!(server.new_world(&"x".repeat(100))?.name().len(), 56);
    create_table(&one, "Orders");
    assert_eq!(
        (tables(&one).as_str(), tables(&two).as_str()),
        (r#"{"TableNames":["Orders"]}"#, r#"{"TableNames":[]}"#)
    );
    drop(one);
    let again = server.new_world("a test's name/with: such")?;
    assert_eq!((again.name(), tables(&again).as_str()), ("t-a_test_s_name_with__such", r#"{"TableNames":[]}"#));
    assert_eq!(server.url(), format!("http://127.0.0.1:{}", server.port()));
    Ok(())
}

#[test]
fn many_tests_at_the_same_time() {
    let names = Mutex::new(Vec::new());
    let worlds: Vec<World> = std::thread::scope(|scope| {
        let all: Vec<_> =
            (0..40).map(|_| scope.spawn(|| Server::shared().unwrap().new_world("same").unwrap())).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    names.lock().unwrap().extend(worlds.iter().map(World::name));
    let mut names = names.into_inner().unwrap();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 40);
}

#[test]
fn snapshots() -> Result<()> {
    let world = Server::shared()?.world("snapshots")?;
    create_table(&world, "Kept");
    world.snapshot("seeded")?;
    let fork = world.fork("fork")?;
    create_table(&world, "Other");
    assert_eq!(tables(&fork), r#"{"TableNames":["Kept"]}"#);
    world.restore("seeded")?;
    assert_eq!(tables(&world), r#"{"TableNames":["Kept"]}"#);
    world.reset()?;
    assert_eq!(tables(&world), r#"{"TableNames":[]}"#);
    Ok(())
}

#[test]
fn clock() -> Result<()> {
    let world = Server::shared()?.new_world("clock")?;
    let clock = world.clock();
    assert_eq!(clock.freeze(new_year())?, new_year());
    assert_eq!(clock.advance(DAY)?, new_year() + DAY);
    assert_eq!(clock.now()?, new_year() + DAY);
    assert!(clock.set(new_year())? < new_year() + DAY);
    clock.freeze(new_year())?;
    clock.resume()?;
    assert!(clock.real()? > new_year() + DAY);
    refused("before 1970", clock.freeze(SystemTime::UNIX_EPOCH - DAY));
    Ok(())
}

#[test]
fn faults_and_journal() -> Result<()> {
    let world = Server::shared()?.new_world("faults")?;
    let faults = world.faults();
    faults.add(
        r#"[{"operation": "ListTables", "times": 1, "error": "ThrottlingException"}, {"operation": "Scan", "delay": 1}]"#,
    )?;
    assert!(tables(&world).contains("ThrottlingException"));
    assert_eq!(tables(&world), r#"{"TableNames":[]}"#);
    assert!(faults.list()?.contains(r#""hits":1"#));
    faults.remove(2)?;
    assert!(!faults.list()?.contains("Scan"));
    faults.clear()?;
    assert_eq!(faults.list()?.trim(), r#"{"rules":[]}"#);
    let entries = world.journal().entries(&["operation=ListTables", "since=2026-01-01T00:00:00Z"])?;
    assert_eq!(entries.len(), 2);
    assert!(entries[0].contains("ThrottlingException") && entries[1].contains(r#""status":200"#), "{entries:?}");
    world.assert_that(r#"[{"no": "Scan"}, {"max_read_units": 1}]"#)?;
    refused("broken: ", world.assert_that(r#"[{"no": "ListTables"}]"#));
    world.journal().clear()?;
    assert_eq!(world.journal().entries(&[])?, Vec::<String>::new());
    Ok(())
}

#[test]
fn a_long_journal_is_read_to_its_end() -> Result<()> {
    let world = Server::shared()?.new_world("journal")?;
    for _ in 0..300 {
        tables(&world);
    }
    assert_eq!(world.journal().entries(&["operation=ListTables"])?.len(), 300);
    Ok(())
}

#[test]
fn what_is_wrong_is_one_line() -> Result<()> {
    let server = Server::shared()?;
    let world = server.new_world("wrong")?;
    refused("has no snapshot missing", world.restore("missing"));
    refused("not a name: \"a\\r\\nb\"", world.restore("a\r\nb"));
    refused("not a name: \"\"", server.world(""));
    refused("max_read_units takes", world.assert_that(r#"[{"max_read_units": "x"}]"#));
    refused("Nonsense", world.journal().entries(&["operation=Nonsense"]));
    refused("error", world.faults().add(r#"[{"operation": "PutItem", "error": "Nonsense"}]"#));
    refused("POST faults", world.faults().add("no JSON"));
    refused("mockddb ended with exit status: 2: mockddb: unknown option --no-such", Server::start_with(&["--no-such"]));
    refused("nowhere", Server::start_with(&["--fixtures", "nowhere"]));
    let template = format!("{}/broken.yaml", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&template, "Resources:\n  Orders: {Type: [}\n").unwrap();
    refused(&format!("{template}:2:19: "), Server::start_with(&["--fixtures", &template]));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    refused(&format!("port {port}"), Server::start_with(&["--port", &port]));
    refused("no answer from http://127.0.0.1:1", Server::at("http://127.0.0.1:1/"));
    let plain = Server::start_with(&["--worlds", "by-header"])?;
    refused("needs the option --worlds by-access-key", Server::at(plain.url()));
    Ok(())
}

#[test]
fn a_server_ends_with_its_value() -> Result<()> {
    let server = Server::start()?;
    let other = Server::at(server.url())?;
    other.world("a")?;
    other.stop()?; // it is not this one's to end
    other.world("b")?;
    drop(server);
    refused("no answer from ", other.world("c"));
    Ok(())
}

#[test]
fn a_server_that_ends_badly_is_named() -> Result<()> {
    let server = Server::start_with(&["--fail-on", "no=ListTables"])?;
    tables(&server.world("a")?);
    let why: Error = server.stop().unwrap_err();
    assert!(why.to_string().starts_with("mockddb ended with exit status: 3: broken  no=ListTables"), "{why}");
    server.stop()
}
