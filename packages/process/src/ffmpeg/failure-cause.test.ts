import { describe, expect, it } from 'vitest';
import { type FailureCause, findFailureCause } from './failure-cause.ts';

const failed = { code: 1, signal: null, isMissing: false, reason: 'ended with code 1' };

/** Words of ffmpeg 5.1, taken from its runs against what the cause names. */
const fixtures: readonly (readonly [FailureCause, what: string, words: string, detail: string])[] = [
  [
    'key-refused',
    'publishing to a server that wants a secret',
    `[rtmp @ 0xaaaae5ec1ec0] Server error: the publish secret is missing or wrong
rtmp://127.0.0.1:43165/live/a: Operation not permitted`,
    'Server error: the publish secret is missing or wrong',
  ],
  [
    'key-in-use',
    'publishing what somebody publishes',
    `[rtmp @ 0xaaaaeea84540] Server error: this stream is already being published
rtmp://127.0.0.1:43165/live/b: Operation not permitted`,
    'Server error: this stream is already being published',
  ],
  [
    'not-found',
    'playing what nobody publishes',
    `[rtmp @ 0xaaaae53f1ec0] Server error: no such stream is live
rtmp://127.0.0.1:43165/live/none: Operation not permitted`,
    'Server error: no such stream is live',
  ],
  [
    'not-found',
    'an address of the web with nothing behind it',
    `[http @ 0xaaaaf5df8ec0] HTTP error 404 File not found
http://127.0.0.1:18555/none.flv: Server returned 404 Not Found`,
    'http://127.0.0.1:18555/none.flv: Server returned 404 Not Found',
  ],
  [
    'not-found',
    'a file that is gone',
    '/nonexist.mp4: No such file or directory',
    '/nonexist.mp4: No such file or directory',
  ],
  [
    'name-unknown',
    'a host that does not exist',
    `[tcp @ 0xaaab01115d20] Failed to resolve hostname nosuch.invalid: Name or service not known
[rtmp @ 0xaaab01115ec0] Cannot open connection tcp://nosuch.invalid:1935?tcp_nodelay=0
rtmp://nosuch.invalid/live/x: Input/output error`,
    'Failed to resolve hostname nosuch.invalid: Name or service not known',
  ],
  [
    'connection-refused',
    'a port where nobody listens',
    `[tcp @ 0xaaab07adbd20] Connection to tcp://127.0.0.1:1?tcp_nodelay=0 failed: Connection refused
[rtmp @ 0xaaab07adbec0] Cannot open connection tcp://127.0.0.1:1?tcp_nodelay=0
rtmp://127.0.0.1:1/live/x: Connection refused`,
    'rtmp://127.0.0.1:1/live/x: Connection refused',
  ],
  [
    'connection-refused',
    'the same by SRT',
    `[srt @ 0xaaaad179d710] Connection to srt://127.0.0.1:1 failed: Input/output error
srt://127.0.0.1:1: Input/output error`,
    'Connection to srt://127.0.0.1:1 failed: Input/output error',
  ],
  [
    'connection-lost',
    'a target that resets',
    `av_interleaved_write_frame(): Connection reset by peer
[flv @ 0xaaab191d62c0] Failed to update header with correct duration.
[flv @ 0xaaab191d62c0] Failed to update header with correct filesize.
Error writing trailer of rtmp://127.0.0.1:36921/live/d: Connection reset by peer
Error closing file rtmp://127.0.0.1:36921/live/d: Broken pipe`,
    'Error closing file rtmp://127.0.0.1:36921/live/d: Broken pipe',
  ],
  [
    'connection-lost',
    'an SRT target that closes',
    `av_interleaved_write_frame(): Input/output error
    Last message repeated 16 times
Error writing trailer of srt://127.0.0.1:53810: Input/output error`,
    'av_interleaved_write_frame(): Input/output error',
  ],
  [
    'connection-lost',
    'a web server where an RTMP server should be',
    `[rtmp @ 0xaaaaf09e5ec0] Cannot read RTMP handshake response
rtmp://127.0.0.1:18555/live/x: End of file`,
    'Cannot read RTMP handshake response',
  ],
  [
    'no-route',
    'a network that is not there',
    `[tcp @ 0xaaaae03b3c80] Connection to tcp://255.255.255.255:1935?tcp_nodelay=0 failed: Network is unreachable
rtmp://255.255.255.255/x/y: Network is unreachable`,
    'rtmp://255.255.255.255/x/y: Network is unreachable',
  ],
  [
    'timed-out',
    'a server that accepts and says nothing',
    `[rtmp @ 0xaaaad62ebec0] Cannot read RTMP handshake response
rtmp://127.0.0.1:36809/x/y: Connection timed out`,
    'rtmp://127.0.0.1:36809/x/y: Connection timed out',
  ],
  [
    'tls-failed',
    'a certificate of one’s own making',
    `[tls @ 0xaaaadf3c2840] Peer certificate failed verification
https://127.0.0.1:41403/x.flv: Input/output error`,
    'Peer certificate failed verification',
  ],
  [
    'tls-failed',
    'rtmps where no TLS is spoken',
    `[tls @ 0xaaab0e9025a0] An unexpected TLS packet was received.
[rtmps @ 0xaaab0e8b6ec0] Cannot open connection tls://127.0.0.1:18555
rtmps://127.0.0.1:18555/live/x: Input/output error`,
    'An unexpected TLS packet was received.',
  ],
  [
    'login-refused',
    'a camera that wants another password',
    `[rtsp @ 0xaaab00f03880] method OPTIONS failed: 401 Unauthorized
rtsp://127.0.0.1:35965/x: Server returned 401 Unauthorized (authorization failed)`,
    'rtsp://127.0.0.1:35965/x: Server returned 401 Unauthorized (authorization failed)',
  ],
  [
    'login-refused',
    'a web server that says no',
    `[http @ 0xaaaaec347ec0] HTTP error 403 Forbidden
http://127.0.0.1:38743/x.flv: Server returned 403 Forbidden (access denied)`,
    'http://127.0.0.1:38743/x.flv: Server returned 403 Forbidden (access denied)',
  ],
  [
    'login-refused',
    'SRT with a passphrase that is not wanted',
    `08:12:33.132509/SRT:RcvQ:w1!W:SRT.cn: processAsyncConnectRequest: REJECT reported from HS processing: Password required or unexpected - not processing further
[srt @ 0xaaaac796dd30] Connection to srt://127.0.0.1:53810 failed: Input/output error`,
    '08:12:33.132509/SRT:RcvQ:w1!W:SRT.cn: processAsyncConnectRequest: REJECT reported from HS processing: Password required or unexpected - not processing further',
  ],
  [
    'address-invalid',
    'SRT without a port',
    `[srt @ 0xaaab113b1710] Port missing in uri
srt://127.0.0.1: Invalid argument`,
    'srt://127.0.0.1: Invalid argument',
  ],
  [
    'protocol-forbidden',
    'a playlist that names a file of the server',
    `[hls @ 0xaaaacea628b0] URL file:///etc/passwd is not in allowed_segment_extensions
http://127.0.0.1:18555/evil.m3u8: Invalid data found when processing input`,
    'URL file:///etc/passwd is not in allowed_segment_extensions',
  ],
  [
    'codec-unsupported',
    'H.265 to a place that takes FLV',
    `[flv @ 0xaaaaf239a240] Video codec hevc not compatible with flv
Could not write header for output file #0 (incorrect codec parameters ?): Function not implemented
Error initializing output stream 0:0 --`,
    'Video codec hevc not compatible with flv',
  ],
  [
    'codec-unsupported',
    'H.265 from RTMP, which this ffmpeg cannot read',
    `[flv @ 0xaaaafd0a3910] Video codec (1) is not implemented. Update your FFmpeg version to the newest one from Git.
[flv @ 0xaaaafd0a3910] Could not find codec parameters for stream 0 (Video: none, none): unknown codec
Consider increasing the value for the 'analyzeduration' (1000000) and 'probesize' (1000000) options
[flv @ 0xaaaafd0ffa80] dimensions not set
Could not write header for output file #0 (incorrect codec parameters ?): Invalid argument
Error initializing output stream 0:2 --`,
    'Could not find codec parameters for stream 0 (Video: none, none): unknown codec',
  ],
  [
    'codec-unsupported',
    'Opus to a place that takes FLV',
    `[flv @ 0xaaaaea118dd0] Audio codec opus not compatible with flv
Could not write header for output file #0 (incorrect codec parameters ?): Function not implemented`,
    'Audio codec opus not compatible with flv',
  ],
  [
    'input-broken',
    'a text that calls itself a film',
    `[mov,mp4,m4a,3gp,3g2,mj2 @ 0xaaab26cfb880] moov atom not found
bad.mp4: Invalid data found when processing input`,
    'bad.mp4: Invalid data found when processing input',
  ],
  [
    'no-video',
    'sound alone where pictures are wanted',
    `Stream map '0:v' matches no streams.
To ignore this, add a trailing '?' to the map.`,
    "Stream map '0:v' matches no streams.",
  ],
  [
    'no-audio',
    'pictures alone where sound is wanted',
    `Stream map '0:a' matches no streams.
To ignore this, add a trailing '?' to the map.`,
    "Stream map '0:a' matches no streams.",
  ],
  [
    'disk-full',
    'a disk without room',
    `av_interleaved_write_frame(): No space left on device
    Last message repeated 2 times
Error writing trailer of /dev/full: No space left on device`,
    'Error writing trailer of /dev/full: No space left on device',
  ],
  [
    'program-old',
    'an option it does not have',
    `Unrecognized option 'stats_periodx'.
Error splitting the argument list: Option not found`,
    "Unrecognized option 'stats_periodx'.",
  ],
  [
    'out-of-memory',
    'no memory',
    'Error while opening encoder: Cannot allocate memory',
    'Error while opening encoder: Cannot allocate memory',
  ],
  [
    'unknown',
    'words nobody has seen',
    '[x @ 0xab] The moon is in the wrong house\nConversion failed!',
    'The moon is in the wrong house',
  ],
];

describe('findFailureCause', () => {
  it.each(fixtures)('returns %s: %s', (cause, _what, words, detail) => {
    const lines = words.split('\n').map((line) => line.trim());
    expect(findFailureCause(lines, failed)).toEqual({ cause, detail });
  });

  it('treats a successful exit that was not requested as the end of the input', () => {
    const lines = ['rtmp://127.0.0.1:34475/live/c: Input/output error'];
    expect(findFailureCause(lines, { ...failed, code: 0 })).toEqual({ cause: 'input-ended', detail: lines[0] });
    expect(findFailureCause([], { ...failed, code: 0 }).cause).toBe('input-ended');
  });

  it('reports a missing program, a kill, and the exit code when there is no output', () => {
    expect(findFailureCause([], { ...failed, isMissing: true, reason: 'ffmpeg is not installed' })).toEqual({
      cause: 'program-missing',
      detail: 'ffmpeg is not installed',
    });
    expect(findFailureCause(['x'], { ...failed, code: null, signal: 'SIGKILL' }).cause).toBe('killed');
    expect(findFailureCause([], { ...failed, reason: 'ended by SIGSEGV' })).toEqual({
      cause: 'unknown',
      detail: 'ended by SIGSEGV',
    });
  });
});
