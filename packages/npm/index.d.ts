/** A moment: "2026-01-01T00:00:00Z", milliseconds since 1970, or a Date. */
export type Moment = string | number | Date;
/** "36h", "90s", "250ms", or milliseconds. */
export type Duration = string | number;

/** An input of CreateTable, which may also have TimeToLiveSpecification and, in plain values, its items. */
export interface Table {
  TableName: string;
  TimeToLiveSpecification?: { AttributeName: string; Enabled: boolean };
  data?: Record<string, unknown>[];
  [member: string]: unknown;
}

/** What every server has. */
export interface DataOptions {
  /** Tables of every world. */
  tables?: Table[];
  /** Paths and names for --fixtures: templates and folders. */
  fixtures?: string | string[];
  /** Values of the templates' parameters. */
  params?: Record<string, string | number>;
  /** The clock of worlds at their start, as --clock has it: "2026-01-01T00:00:00Z,frozen". */
  clock?: string;
  /** A file of fault rules, as --faults has it. */
  faults?: string;
  region?: string;
  /** Other options of the program. */
  args?: (string | number)[];
}

export interface ServerOptions extends DataOptions {
  /** Assertions that the whole run has to keep, as --fail-on has them: "no=Scan". */
  failOn?: string | string[];
  port?: number;
  host?: string;
}

export interface StartOptions extends ServerOptions {
  /** The working folder of the program, from which relative paths lead. */
  folder?: string;
  /** "by-access-key", the default: the access key id names the world. "one": all keys see the first world. */
  worlds?: "by-access-key" | "one";
}

/** `args` without what only a program has: sockets, --worlds, --workers, --store, --fail-on. */
export interface EmbeddedOptions extends DataOptions {
  /** The path of libmockddb.so, with mockddb.node beside it; else MOCKDDB_LIBRARY, else the package for this platform. */
  library?: string;
  /** Receives the lines that a server writes to standard error; else they are dropped. */
  log?: (line: string) => void;
}

/** For the constructors of the SDK's clients: `new DynamoDBClient(world.clientConfig)`. */
export interface ClientConfig {
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  /** Of an embedded server: answers in this process. */
  requestHandler?: any;
  signer?: any;
}

export interface ClockState {
  now: string;
  now_ms: number;
  frozen: boolean;
  rate: number;
}

export interface Clock {
  get(): Promise<ClockState>;
  /** Stops the clock, now or at a moment. */
  freeze(at?: Moment): Promise<ClockState>;
  /** Lets time pass, with all that falls due on the way. */
  advance(duration: Duration): Promise<ClockState>;
  set(at: Moment): Promise<ClockState>;
  rate(times: number): Promise<ClockState>;
  resume(): Promise<ClockState>;
  real(): Promise<ClockState>;
}

/** A fault rule; docs/faults.md has its members. */
export interface FaultRule {
  operation?: string | string[];
  table?: string;
  times?: number;
  nth?: number;
  error?: string;
  [member: string]: unknown;
}

export interface Fault {
  id: number;
  seen: number;
  hits: number;
  rule: FaultRule;
}

export interface Faults {
  list(): Promise<Fault[]>;
  add(...rules: (FaultRule | FaultRule[])[]): Promise<Fault[]>;
  remove(id: number): Promise<Fault[]>;
  clear(): Promise<unknown>;
}

/** A request in the journal; docs/journal.md has its members. */
export interface JournalEntry {
  id: number;
  operation: string;
  status: number;
  table?: string;
  error?: string;
  [member: string]: unknown;
}

export interface Journal {
  entries(filter?: Record<string, string | number | boolean>): Promise<JournalEntry[]>;
  clear(): Promise<unknown>;
}

export interface Snapshot {
  name: string;
  restore(): Promise<unknown>;
  drop(): Promise<unknown>;
}

/** A complete, separate set of tables with its own clock, faults, journal and snapshots. */
export interface World {
  url: string;
  name: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  clientConfig: ClientConfig;
  /** The variables by which an AWS SDK uses this world; undefined: not set. */
  environment: Record<string, string | undefined>;
  /** Puts `environment` into process.env. */
  enter(): void;
  clock: Clock;
  faults: Faults;
  journal: Journal;
  /** Throws if the journal breaks one of these assertions: `{ no: "Scan" }`. */
  assert(...assertions: (Record<string, unknown> | Record<string, unknown>[])[]): Promise<unknown>;
  snapshot(name?: string): Promise<Snapshot>;
  /** Back to the tables and items with which every world begins. */
  reset(): Promise<unknown>;
  /** A new world with a copy of this one's tables and items. */
  fork(name: string): Promise<World>;
  drop(): Promise<unknown>;
  /** Any other verb of docs/admin-api.md: `call("POST", "patterns/run")`. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** A running server, and its first world. */
export interface Server extends World {
  port: number;
  pid: number;
  world(name: string): World;
  /** Ends the server. Throws if it ended badly, or if a rule of failOn is broken. */
  stop(): Promise<void>;
}

/** A server in this process, and its first world. Its `environment` and `enter()` throw: it has no address. */
export interface Embedded extends World {
  pid: number;
  world(name: string): World;
  /** Ends the server after the requests that have been made. */
  stop(): Promise<void>;
}

/** Starts a server in this process: no program, no port. */
export function embedded(options?: EmbeddedOptions): Promise<Embedded>;

/** Starts a server on a free port. It ends with stop(), or with this process in whatever way that ends. */
export function start(options?: StartOptions): Promise<Server>;

/** The world of this test worker under mockddb/vitest and mockddb/jest, or another one of its server. */
export function world(name?: string): World;
