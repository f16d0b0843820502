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
  | 'address-forbidden'
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

interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
  readonly isMissing: boolean;
  /** Describes the exit, for a program that printed nothing. */
  readonly reason: string;
}

/**
 * ffmpeg's words, the most telling first: what it says at last ("Input/output error", "Conversion failed!") is often only
 * the echo of a line before. Each has a fixture with words of a real ffmpeg.
 */
const rules: readonly (readonly [FailureCause, RegExp])[] = [
  ['program-old', /Unrecognized option|Option \S+ not found|Unknown encoder|Unknown decoder|Protocol not found/i],
  ['disk-full', /No space left on device|Disk quota exceeded/i],
  ['out-of-memory', /Cannot allocate memory|Out of memory/i],
  [
    'protocol-forbidden',
    /not on whitelist|not in whitelist|not in allowed_(?:segment_)?extensions|Format not on whitelist/i,
  ],
  [
    'codec-unsupported',
    /not compatible with (?:flv|mpegts)|FLV does not support|Could not find tag for codec|only one video stream|\): unknown codec$/i,
  ],
  ['no-video', /Stream map '\d+:v[^']*' matches no streams/i],
  ['no-audio', /Stream map '\d+:a[^']*' matches no streams/i],
  // Error texts of RTMP servers, ours among them; each means a refusal.
  ['key-in-use', /Server error: .*(?:already (?:being )?publish|in use|busy)/i],
  ['not-found', /Server error: .*(?:no such stream|stream not found|no such app)/i],
  ['key-refused', /Server error:/i],
  ['key-refused', /Operation not permitted/i],
  [
    'login-refused',
    /\b401 Unauthorized|\b403 Forbidden|authorization failed|Password required or unexpected|wrong password/i,
  ],
  ['not-found', /\b404 (?:File )?not found|\b404 Stream Not Found|No such file or directory/i],
  ['name-unknown', /Failed to resolve hostname|Name or service not known|Temporary failure in name resolution/i],
  ['tls-failed', /\btls @|Peer certificate|certificate (?:verify|has expired)|TLS packet|TLS handshake/i],
  ['no-route', /No route to host|Network is unreachable/i],
  ['timed-out', /timed out/i],
  // SRT has one error for both: no server, or a refusal.
  ['connection-refused', /Connection refused|Connection to srt:\S* failed: Input\/output error/i],
  [
    'connection-lost',
    /Connection reset|Broken pipe|av_interleaved_write_frame\(\): |Cannot read RTMP handshake response/i,
  ],
  ['address-invalid', /Port missing in uri|Invalid port|: Invalid argument$/i],
  ['input-broken', /exceeds specified max pixel count/i],
  ['input-broken', /Invalid data found when processing input|moov atom not found|could not find codec parameters/i],
];

/** The ffmpeg object and its memory address help no reader. */
const speaker = /^(?:\[[^\]]* @ 0x[0-9a-f]+\] )+/;
const echoes = /^(?:Last message repeated|Conversion failed!|Failed to update header)/;

/** Finds the cause of an unexpected exit and the log line that shows it. */
export function findFailureCause(lines: readonly string[], end: Ending): { cause: FailureCause; detail: string } {
  if (end.isMissing) return { cause: 'program-missing', detail: end.reason };
  const telling = lines.filter((line) => !echoes.test(line.replace(speaker, '')));
  const lastWords = (telling.at(-1) ?? end.reason).replace(speaker, '');
  if (end.signal === 'SIGKILL') return { cause: 'killed', detail: lastWords };
  for (const [cause, words] of rules) {
    const line = telling.findLast((text) => words.test(text));
    if (line !== undefined) return { cause, detail: line.replace(speaker, '') };
  }
  return { cause: end.code === 0 ? 'input-ended' : 'unknown', detail: lastWords };
}
