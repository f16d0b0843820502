import { MpegTsMuxer } from '@weir/media';
import { runTool } from '@weir/process';
import { expect, it } from 'vitest';
import { EncoderTests } from './encoder-tests.ts';

/** Output of ffmpeg 5.1 on a machine without graphics chips. */
const lines: Readonly<Record<string, string>> = {
  h264_nvenc: '[h264_nvenc @ 0x55a0] Cannot load libcuda.so.1',
  h264_qsv: '[h264_qsv @ 0x55a0] Error initializing an internal MFX session: unsupported (-3)',
  h264_vaapi: '[AVHWDeviceContext @ 0x55a0] No VA display found for device /dev/dri/renderD128.',
  h264_videotoolbox: "Unrecognized option 'realtime'.",
  h264_v4l2m2m: '[h264_v4l2m2m @ 0x55a0] Could not find a valid device',
};
const end = { code: 1, isMissing: false, bytes: Buffer.alloc(0), said: [] as string[], cut: undefined };
const nothing = new MpegTsMuxer().tables();

it('finds by a real encode that x264 keeps forced keyframes, once', async () => {
  let runs = 0;
  const tests = new EncoderTests({
    run: (options) => {
      runs += 1;
      return runTool(options);
    },
  });
  expect(await tests.of('libx264')).toMatchObject({ isUsable: true, fault: '' });
  expect(await tests.of('libx264')).toMatchObject({ isUsable: true });
  expect(runs).toBe(2);
});

it('says why encoders do not work, tests again on request, and passes over one that ignores forced keyframes', async () => {
  let asked: string[] = [];
  const tests = new EncoderTests({
    deviceFolder: '/nowhere',
    run: async ({ args }) => {
      const encoder = args[args.indexOf('-c:v') + 1] ?? '';
      asked.push(encoder);
      if (encoder === 'mpeg2video') return { ...end, code: 0 };
      // Both succeed, and their output has no keyframe where one was forced.
      return encoder.startsWith('lib')
        ? { ...end, code: 0, bytes: nothing }
        : { ...end, said: [lines[encoder] ?? '', 'Conversion failed!'] };
    },
  });
  const faults = (await tests.all()).map(({ encoder, fault, detail }) => [encoder, fault, detail]);
  expect(faults).toEqual([
    ['h264_nvenc', 'driver', 'Cannot load libcuda.so.1'],
    ['h264_qsv', 'device', 'Error initializing an internal MFX session: unsupported (-3)'],
    ['h264_vaapi', 'device', ''],
    ['h264_videotoolbox', 'missing', "Unrecognized option 'realtime'."],
    ['h264_v4l2m2m', 'device', 'Could not find a valid device'],
    ['libx264', 'keyframes', ''],
    ['libx265', 'keyframes', ''],
  ]);
  expect(await tests.chosen()).toBeUndefined();
  asked = [];
  await tests.all();
  expect(asked).toEqual([]);
  await tests.all(true);
  expect(asked).toContain('libx264');
});
