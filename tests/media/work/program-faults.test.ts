import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../free-port.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { encodeAhead, encoding, probe } from '../fixtures/ffmpeg.fixture.ts';
import { badSteps, FrameViewer } from '../fixtures/frames.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { LiveProgram } from '../fixtures/program.fixture.ts';
import { report } from '../fixtures/record.fixture.ts';

/** Another codec, size, frame rate, sample rate and number of channels than other publishers. */
const small = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=15', '-f', 'lavfi', '-i', 'sine=sample_rate=48000'];
const h265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-pix_fmt', 'yuv420p'];
const otherInput = [...small, ...h265, '-g', '15', '-c:a', 'aac', '-ac', '1'];

let live: Live;
let program: LiveProgram;
beforeAll(async () => {
  // A restarted engine returns to the same ports.
  const [http, rtmp] = [await freePort(), await freePort()];
  live = await Live.start({ MGMT_LISTEN: `127.0.0.1:${http}`, WEIR_RTMP_LISTEN: `127.0.0.1:${rtmp}` });
  program = new LiveProgram(live);
});
afterEach(() => program.clear());
afterAll(() => live.close());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('a backup in H.265 of another size is unfit, and takes over in the form of the main input where inputs conform', async () => {
  const fields = { inputs: [{ kind: 'publisher' }, { kind: 'backup' }], returnSeconds: 1, leastSeconds: 0 };
  encodeAhead(otherInput, 'mpegts');
  const { uuid, inputs: saved } = await program.save('mixed', fields);
  const main = program.publish(live.publishUrl('mixed'));
  await program.becomes('publisher');
  const backup = program.publish(await program.addressOf('backup', 'srt'), 'mpegts', otherInput);
  const fitOf = async () => (await program.row()).states.find(({ id }) => id === 'backup')?.fit;
  await until(async () => (await fitOf()) === 'unfit', 'the backup is unfit').catch(async (error) => {
    throw new Error(`${String(error)}: ${backup.said} ${JSON.stringify((await program.row()).states)}`);
  });
  await program.save('mixed', { ...fields, uuid, inputs: saved, isConforming: true });
  await program.isGood('publisher', 'backup');
  const { fit, video } = (await program.row()).states[1] ?? {};
  expect({ fit, video }).toEqual({ fit: 'conformed', video: 'H265 320x240' });

  const viewer = FrameViewer.overFlv(live.weir.httpPort, '/live/mixed.flv');
  await until(() => viewer.times.video.length > 25, 'it plays');
  await main.stop('SIGKILL');
  await program.becomes('backup');
  const [seenVideo, seenAudio] = await probe(live.http('mixed', '.flv'));
  expect([seenVideo?.codec_name, seenVideo?.width, seenVideo?.height]).toEqual(['h264', 640, 360]);
  expect([seenAudio?.codec_name, seenAudio?.sample_rate, seenAudio?.channels]).toEqual(['aac', '44100', 2]);
  program.publish(live.publishUrl('mixed'));
  await program.becomes('publisher');
  await pause(1000);
  const { switches } = await program.row();
  report({ switches });
  expect([viewer.hasEnded, viewer.reason]).toEqual([false, '']);
  expect(badSteps(viewer.times.video.slice(3), 0, 1300)).toEqual([]);
  expect(badSteps(viewer.times.audio.slice(3), 0, 100)).toEqual([]);
  viewer.close();
});

/** Video of a lavfi source, and audio beside it. */
const dull = (video: string, audio = 'sine=frequency=440:sample_rate=44100') => [
  ...['-f', 'lavfi', '-i', `${video}size=640x360:rate=25`, '-f', 'lavfi', '-i', audio],
  ...encoding,
];

it('inputs with black or frozen video or without sound are passed over, until there is something to see again', async () => {
  await program.save('dull', {
    inputs: [{ kind: 'publisher' }, { kind: 'backup' }, { kind: 'backup' }, { kind: 'backup' }],
    blackSeconds: 2,
    frozenSeconds: 2,
    quietSeconds: 2,
    returnSeconds: 1,
    leastSeconds: 0,
  });
  const black = program.publish(live.publishUrl('dull'), 'flv', dull('color=black:'));
  await program.becomes('publisher');
  program.publish(await program.addressOf('backup'), 'flv', dull('color=red:'));
  const silence = 'anullsrc=sample_rate=44100:channel_layout=stereo';
  program.publish(await program.addressOf('backup-2'), 'flv', dull('testsrc2=', silence));
  program.publish(await program.addressOf('backup-3'));
  const faults = async () => (await program.row()).states.map(({ fault }) => fault);
  const expected = ['black', 'frozen', 'quiet', ''];
  await until(async () => expected.join() === (await faults()).join(), 'faults are named').catch(async (error) => {
    throw new Error(`${String(error)}: ${await faults()}`);
  });
  await program.becomes('backup-3');
  await black.stop('SIGKILL');
  program.publish(live.publishUrl('dull'));
  await program.becomes('publisher');
  const { switches } = await program.row();
  report({ switches });
  expect(switches.find(({ from }) => from === 'publisher')).toMatchObject({ reason: 'black' });
});

it('F07: after kill -9 of the engine on the backup, the program resumes with the best input', async () => {
  const fields = { returnSeconds: 1, leastSeconds: 0 };
  await program.save('back', { ...fields, inputs: [{ kind: 'publisher' }, { kind: 'backup' }, { kind: 'slate' }] });
  const main = program.publish(live.publishUrl('back'));
  program.publish(await program.addressOf('backup'));
  await program.isGood('publisher', 'backup');
  await program.becomes('publisher');
  await main.stop('SIGKILL');
  await program.becomes('backup');
  const engine = live.weir.pidOf('engine');
  process.kill(engine, 'SIGKILL');
  const killedMs = performance.now();
  // Calls pass through the engine, too.
  const onAir = () =>
    program.row().then(
      (row) => row.onAir,
      () => undefined,
    );
  await until(async () => (await onAir()) === '', 'another engine runs, without its inputs');
  // Encoders connect again by themselves; ffmpeg ends with its connection.
  const address = await program.addressOf('backup');
  let backup = program.publish(address);
  const isBack = async () => {
    if (backup.hasEnded) backup = program.publish(address);
    return (await onAir()) === 'backup';
  };
  await until(isBack, 'the backup is on air again');
  report({ resumedMs: Math.round(performance.now() - killedMs) });
  const viewer = FrameViewer.overFlv(live.weir.httpPort, '/live/back.flv');
  await until(() => viewer.times.video.length > 25, 'it plays again');
  program.publish(live.publishUrl('back'));
  await program.becomes('publisher');
  expect(viewer.hasEnded).toBe(false);
  viewer.close();
});
