import { describe, expect, it } from 'vitest';
import {
  concatList,
  type Input,
  outputAddress,
  relayArgs,
  segmentSpeechArgs,
  silentAudioArgs,
  speechArgs,
  transcodeArgs,
} from './ffmpeg-args.ts';

const live: Input = { kind: 'live', url: 'rtmp://127.0.0.1/live/a' };
const to = 'rtmp://example.test/live/key';

describe('arguments of ffmpeg', () => {
  it('write the audio of a stream without video, on its own clock, to standard output', () => {
    const args = speechArgs({ from: { ...live, isWhole: true } }).join(' ');
    expect(args).toMatch(
      /^-copyts -protocol_whitelist rtmp,tcp -max_pixels \d+ -i \S+ -map 0:a:0 -vn -af aresample=16000:async=1:min_hard_comp=0\.03,/,
    );
    expect(args).toMatch(/-f matroska -live 1 -cluster_time_limit 1 pipe:1$/);
    // A segment is the same kind of input, but names no other file.
    const [output] = /-map.*/.exec(args) ?? [];
    const start = '-nostdin -copyts -protocol_whitelist file -max_pixels 35651584 -f mpegts -i file:/a b.ts';
    expect(segmentSpeechArgs('/a b.ts', 'mpegts').join(' ')).toBe(`${start} ${output}`);
  });

  it('pass a live stream on unchanged, at its own pace', () => {
    expect(relayArgs({ from: live, to })).toEqual([
      '-protocol_whitelist',
      'rtmp,tcp',
      '-max_pixels',
      '35651584',
      '-i',
      'rtmp://127.0.0.1/live/a',
      '-c',
      'copy',
      '-f',
      'flv',
      '-flvflags',
      'no_duration_filesize',
      to,
    ]);
  });

  it('read a playlist at its native rate, since its segments come seconds apart', () => {
    const playlist: Input = { kind: 'live', url: 'https://h/a.m3u8?b' };
    expect(relayArgs({ from: playlist, to }).slice(0, 2)).toEqual(['-re', '-protocol_whitelist']);
    expect(silentAudioArgs({ from: playlist, to })[0]).toBe('-re');
    for (const url of ['https://h/a.flv', 'rtmp://h/a.m3u8']) {
      expect(relayArgs({ from: { kind: 'live', url }, to })).not.toContain('-re');
    }
  });

  it.each([
    ['rtmp://h/a/b', 'flv'],
    ['rtmps://h/a/b', 'flv'],
    ['RTMP://h/a/b', 'flv'],
    ['srt://h:10080?streamid=#!::r=live/a,m=publish', 'mpegts'],
  ])('choose the container by the scheme of %s', (url, format) => {
    const args = relayArgs({ from: live, to: url });
    expect(args[args.lastIndexOf('-f') + 1]).toBe(format);
    expect(args.at(-1)).toBe(url);
  });

  it.each([
    '/data/out.flv',
    'out.flv',
    '-y',
    'file:///tmp/x',
    'http://h/x',
    '',
    'pipe:1',
    'tee:a|b',
    'constructor://x',
  ])('refuse to write to %j', (url) => {
    expect(() => relayArgs({ from: live, to: url })).toThrow('rtmp, rtmps or srt');
  });

  it.each(['-i', 'file:///etc/passwd', 'concat:a|b', 'data:x', '/etc/passwd', 'gopher://h/', 'constructor://x'])(
    'refuse to read %j as if it were live',
    (url) => {
      expect(() => relayArgs({ from: { kind: 'live', url }, to })).toThrow('unsupported input scheme');
    },
  );

  it('do not let a file name become an option, nor reach beyond files', () => {
    for (const kind of ['file', 'file-list'] as const) {
      const args = relayArgs({ from: { kind, path: '-f' }, to });
      expect(args).not.toContain('-f ');
      expect(args[args.indexOf('-i') + 1]).toBe('file:-f');
      expect(args[args.indexOf('-protocol_whitelist') + 1]).toBe('file');
      expect(args.slice(args.indexOf('-stream_loop'))).toEqual(expect.arrayContaining(['-1', '-re']));
    }
  });

  it.each([
    ['rtsp://h/x', ['-rtsp_transport', 'tcp']],
    ['https://h/x.m3u8', ['-protocol_whitelist', 'http,tcp,crypto']],
    ['srt://h:1', ['-protocol_whitelist', 'srt']],
  ])('give %s only the input options it needs', (url, expected) => {
    const args = relayArgs({ from: { kind: 'live', url }, to });
    for (const arg of expected) expect(args.slice(0, args.indexOf('-i'))).toContain(arg);
    expect(args.join(' ')).not.toMatch(/whitelist \S*\bfile\b/);
  });

  it('replace audio with silence', () => {
    const args = silentAudioArgs({ from: { kind: 'live', url: 'rtsp://h/x' }, to }).join(' ');
    expect(args).toMatch(/-rtsp_transport tcp -i rtsp:\/\/h\/x -f lavfi -i anullsrc=\S+ -map 0:v -map 1:a /);
    expect(args).toContain('-c:v copy -c:a aac -ac 2 -ar 44100 -b:a 20k');
  });

  it('encode at the frame rate of the source, with a keyframe every two seconds and no B-frames', () => {
    const encoding = { profile: 'high', preset: 'faster', videoKbps: 1200, audioKbps: 64, channels: 0 };
    const args = transcodeArgs({ from: live, to, encoding }).join(' ');
    expect(args).toContain('-c:v libx264 -profile:v high -preset:v faster -tune zerolatency');
    expect(args).toContain('-b:v 1200k -maxrate 1200k -bufsize 1200k');
    expect(args).toContain(
      '-force_key_frames expr:gte(t,n_forced*2) -bf 0 -fps_mode passthrough -enc_time_base -1 -c:a aac -b:a 64k -f flv',
    );
    expect(args).not.toContain(' -r ');
    expect(transcodeArgs({ from: live, to, encoding: { ...encoding, channels: 1 } }).join(' ')).toContain('-ac 1 -f');
  });

  it.each([
    ['rtmp://h/live', 'key', 'rtmp://h/live/key'],
    ['rtmp://h/live/', 'key', 'rtmp://h/live/key'],
    ['rtmp://h/live', '/key?a=b', 'rtmp://h/live/key?a=b'],
    ['rtmp://h/live/key', '', 'rtmp://h/live/key'],
    ['', 'rtmp://h/live/key', 'rtmp://h/live/key'],
  ])('join %j and %j', (server, secret, joined) => {
    expect(outputAddress(server, secret)).toBe(joined);
  });

  it('escape file names in a list', () => {
    expect(concatList([{ path: "/a/it's.mp4" }, { path: '/b.mp4', seconds: 2 }])).toBe(
      "ffconcat version 1.0\nfile 'file:/a/it'\\''s.mp4'\nfile 'file:/b.mp4'\nduration 2.000\n",
    );
    expect(() => concatList([{ path: '/a\nfile x' }])).toThrow();
  });
});
