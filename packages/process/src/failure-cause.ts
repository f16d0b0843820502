/** Why a program failed, as far as can be told. The contract has the same words; the server's tests compare them. */
export type FailureCause =
  | 'program-missing'
  | 'program-old'
  | 'key-refused'
  | 'key-in-use'
  | 'not-found'
  | 'name-unknown'
  | 'connection-refused'
  | 'connection-lost'
  | 'no-route'
  | 'timed-out'
  | 'tls-failed'
  | 'login-refused'
  | 'address-invalid'
  | 'protocol-forbidden'
  | 'codec-unsupported'
  | 'input-broken'
  | 'input-ended'
  | 'no-video'
  | 'no-audio'
  | 'disk-full'
  | 'out-of-memory'
  | 'stalled'
  | 'too-slow'
  | 'too-fast'
  | 'killed'
  | 'unknown';

export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
  readonly isMissing: boolean;
  /** Its end in words, for when it said nothing. */
  readonly reason: string;
}

/**
 * ffmpeg's words, the most telling first: what it says at last ("Input/output error", "Conversion failed!") is often only
 * the echo of a line before. Each has a fixture with words of a real ffmpeg.
 */
const rules: readonly (readonly [FailureCause, RegExp])[] = [
  ['program-old', /Unrecognized option|Option \S+ not found|Unknown encoder|Unknown muxer|Protocol not found/i],
  ['disk-full', /No space left on device|Disk quota exceeded/i],
  ['out-of-memory', /Cannot allocate memory|\bbad_alloc\b|Out of memory/i],
  ['protocol-forbidden', /Protocol '[^']*' not on whitelist/i],
  [
    'codec-unsupported',
    /codec (?:id )?\S+ not (?:compatible|supported)|not compatible with (?:flv|mpegts)|Video codec \S+ not|Audio codec \S+ not|Could not find tag for codec|only supports? .*codec/i,
  ],
  ['no-video', /matches no streams[\s\S]*|Stream map '0:v[^']*'/i],
  ['no-audio', /Stream map '[01]:a[^']*'/i],
  ['login-refused', /\b401 Unauthorized|\b403 Forbidden|authorization failed|Authentication failed/i],
  ['key-in-use', /in[ -]use|already publish|StreamBusy|already exists/i],
  [
    'key-refused',
    /NetStream\.Publish\.(?:Denied|BadName|Unauthorized|Rejected)|publish.*(?:denied|refused|rejected)|NetConnection\.Connect\.Rejected|ERROR:(?:UNAUTH|FORBIDDEN)|rejected by (?:peer|listener)/i,
  ],
  ['not-found', /\b404 Not Found|Server returned 404|No such file or directory|NetStream\.Play\.StreamNotFound/i],
  [
    'name-unknown',
    /Failed to resolve hostname|Name or service not known|No address associated|Temporary failure in name resolution/i,
  ],
  ['tls-failed', /certificate|TLS fatal|gnutls|SSL routines|error in the (?:push|pull) function|handshake/i],
  ['connection-refused', /Connection refused/i],
  ['no-route', /No route to host|Network is unreachable|Host is unreachable/i],
  ['timed-out', /timed out|Connection setup failure: connection timed out/i],
  [
    'connection-lost',
    /Connection reset|Broken pipe|Connection was broken|End of file.*rtmp|connection does not exist/i,
  ],
  [
    'address-invalid',
    /Invalid port|Port missing in uri|Invalid argument.*:\/\/|Malformed|Missing port|Unable to find a suitable output format/i,
  ],
  [
    'input-broken',
    /Invalid data found when processing input|moov atom not found|could not find codec parameters|Invalid NAL|does not contain any stream/i,
  ],
];

/** Tells the cause of an end that nobody asked for, with the line that shows it. */
export function failureCauseOf(lines: readonly string[], end: Ending): { cause: FailureCause; detail: string } {
  if (end.isMissing) return { cause: 'program-missing', detail: end.reason };
  if (end.signal === 'SIGKILL') return { cause: 'killed', detail: lines.at(-1) ?? end.reason };
  for (const [cause, words] of rules) {
    const detail = lines.findLast((line) => words.test(line));
    if (detail !== undefined) return { cause, detail };
  }
  if (end.code === 0) return { cause: 'input-ended', detail: lines.at(-1) ?? end.reason };
  return { cause: 'unknown', detail: lines.at(-1) ?? end.reason };
}
