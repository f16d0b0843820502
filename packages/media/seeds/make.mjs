/**
 * Makes the seeds of the fuzz tests: short recordings of real programs. They are kept in the repository, because what
 * ffmpeg writes differs from version to version and a failure must be found again.
 *
 *   node packages/media/seeds/make.mjs             everything that ffmpeg makes
 *   node packages/media/seeds/make.mjs record obs  the next RTMP session that comes to the printed address, as rtmp/obs.rtmp
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { hevcRecordOf } from '../src/codecs/h265.ts';
import { h264NalType, h265NalType, splitAnnexB } from '../src/codecs/nal.ts';
import { opusHeadOf } from '../src/codecs/opus.ts';
import {
  flvTimestamp,
  writeFlvBodyHeader,
  writeFlvConfig,
  writeFlvMetadata,
} from '../src/containers/flv/flv-body-writer.ts';
import { FlvDemuxer } from '../src/containers/flv/flv-demuxer.ts';
import { flvHeader, flvTag } from '../src/containers/flv/flv-muxer.ts';
import { MpegTsDemuxer } from '../src/containers/mpegts/mpegts-demuxer.ts';
import { ChunkReader } from '../src/protocols/rtmp/chunks/chunk-reader.ts';
import { RtmpServerSession } from '../src/protocols/rtmp/server-session.ts';

const here = import.meta.dirname;
const handshakeBytes = 1 + 1536 + 1536;
/** A session is interesting at its beginning. */
const longestSession = 48 * 1024;

const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=96x64:rate=25'];
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100'];
const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '10', '-bf', '2', '-crf', '40'];
const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-crf', '40'];
const quietX265 = ['-x265-params', 'log-level=error:keyint=10'];
const aac = ['-c:a', 'aac', '-b:a', '32k'];
const mp3 = ['-c:a', 'libmp3lame', '-b:a', '32k'];
const opus = ['-ar', '48000', '-c:a', 'libopus', '-b:a', '24k'];

function save(path, bytes) {
  const target = join(here, path);
  mkdirSync(join(target, '..'), { recursive: true });
  writeFileSync(target, bytes);
  process.stdout.write(`${path}  ${bytes.length}\n`);
  return bytes;
}

/** Encodes one second with these ffmpeg options. */
function encode(format, ...options) {
  return execFileSync('ffmpeg', ['-v', 'error', ...options, '-t', '1', '-f', format, 'pipe:1']);
}

/** The bytes a client sends to a server that accepts whatever it asks, until it leaves or has sent enough. */
async function record(client) {
  const { promise, resolve } = Promise.withResolvers();
  const server = createServer((socket) => {
    const session = new RtmpServerSession();
    const chunks = [];
    let bytes = 0;
    socket.on('error', () => undefined);
    socket.on('close', () => {
      server.close();
      resolve(Buffer.concat(chunks).subarray(0, longestSession));
    });
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      bytes += chunk.length;
      for (const { type } of session.push(chunk)) {
        if (type === 'publish') session.acceptPublish();
        if (type === 'play') session.acceptPlay();
      }
      const replies = session.readOutput();
      if (replies) socket.write(replies);
      if (bytes >= longestSession) socket.destroy();
    });
  });
  server.listen(0, '127.0.0.1', () => client(`rtmp://127.0.0.1:${server.address().port}/live/seed?secret=seed`));
  return promise;
}

const publish =
  (...options) =>
  (url) => {
    spawn('ffmpeg', ['-v', 'error', ...options, '-t', '1', '-f', 'flv', url], { stdio: 'ignore' });
  };

/** A player gets nothing and leaves by itself. */
const watch = (url) => {
  const player = spawn('ffprobe', ['-v', 'error', '-rw_timeout', '1000000', url], { stdio: 'ignore' });
  setTimeout(() => player.kill(), 2000);
};

/** Payloads of the AMF0 messages in a recorded session. */
function amf0Of(session) {
  const messages = new ChunkReader().push(session.subarray(handshakeBytes));
  return messages.filter(({ type }) => type === 18 || type === 20).map(({ payload }) => Buffer.from(payload));
}

/** ffmpeg learned to write H.265 into FLV after the version Debian has, so our own muxer does it. */
function enhancedFlv(ts) {
  const demuxer = new MpegTsDemuxer();
  const items = [...demuxer.push(ts), ...demuxer.flush()];
  const tags = items.map((item) => {
    if (item.type === 'metadata') return flvTag(18, 0, writeFlvMetadata(item.values));
    if (item.type === 'config') return flvTag(item.config.kind === 'video' ? 9 : 8, 0, writeFlvConfig(item.config));
    const { frame } = item;
    return flvTag(frame.kind === 'video' ? 9 : 8, flvTimestamp(frame), [writeFlvBodyHeader(frame), frame.payload]);
  });
  return Buffer.concat([flvHeader({ hasAudio: true, hasVideo: true }), ...tags]);
}

function saveCodecs(flv) {
  for (const item of new FlvDemuxer().push(flv)) {
    if (item.type === 'config') save(`codecs/${item.config.kind === 'video' ? 'avcc' : 'asc'}.bin`, item.config.record);
  }
  const avc = splitAnnexB(encode('h264', ...picture, ...x264));
  const avcOf = (type) => avc.find((nal) => h264NalType(nal[0]) === type);
  save('codecs/h264-sps.bin', avcOf(7));
  save('codecs/h264-pps.bin', avcOf(8));
  const hevc = splitAnnexB(encode('hevc', ...picture, ...x265, ...quietX265));
  const [vps, sps, pps] = [32, 33, 34].map((type) => hevc.find((nal) => h265NalType(nal[0]) === type));
  save('codecs/h265-vps.bin', vps);
  save('codecs/h265-sps.bin', sps);
  save('codecs/h265-pps.bin', pps);
  save('codecs/hvcc.bin', hevcRecordOf([vps], [sps], [pps]));
  save('codecs/adts.bin', encode('adts', ...tone, ...aac).subarray(0, 1500));
  save('codecs/mp3.bin', encode('mp3', ...tone, ...mp3, '-write_xing', '0', '-id3v2_version', '0').subarray(0, 900));
  save('codecs/opus-head.bin', opusHeadOf(2));
  save('codecs/annexb.bin', encode('h264', ...picture, ...x264, '-frames:v', '3'));
}

async function make() {
  const session = save('rtmp/ffmpeg-h264-aac.rtmp', await record(publish(...picture, ...tone, ...x264, ...aac)));
  save('rtmp/ffmpeg-mp3.rtmp', await record(publish(...tone, ...mp3)));
  save('rtmp/ffprobe-play.rtmp', await record(watch));
  for (const [index, payload] of amf0Of(session).entries()) save(`amf0/ffmpeg-${index}.bin`, payload);
  const flv = save('flv/h264-aac.flv', encode('flv', ...picture, ...tone, ...x264, ...aac));
  save('flv/mp3.flv', encode('flv', ...tone, ...mp3));
  save('mpegts/h264-aac.mpegts', encode('mpegts', ...picture, ...tone, ...x264, ...aac));
  const hevc = save('mpegts/h265-aac.mpegts', encode('mpegts', ...picture, ...tone, ...x265, ...quietX265, ...aac));
  save('mpegts/h264-mp3.mpegts', encode('mpegts', ...picture, ...tone, ...x264, ...mp3));
  save('mpegts/opus.mpegts', encode('mpegts', ...tone, ...opus));
  save('flv/h265-aac.flv', enhancedFlv(hevc));
  saveCodecs(flv);
}

const [command, name = 'other'] = process.argv.slice(2);
if (command === 'record') {
  save(`rtmp/${name}.rtmp`, await record((url) => process.stdout.write(`publish to ${url}\n`)));
} else await make();
