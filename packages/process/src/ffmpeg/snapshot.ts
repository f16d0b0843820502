import { runTool } from '../child/run-tool.ts';
import { type ProbeTarget, targetArgs } from './ffprobe.ts';

/** A JPEG, or why there is none. */
export type Snapshot = Buffer | { readonly reason: 'no-video' | 'unreadable' | 'no-ffmpeg' };

/** The longer side in pixels. */
const longest = 640;
const mostBytes = 512 * 1024;
const withinMs = 15_000;
/** Lower priority than viewers and publishers. */
const niceness = 10;
/** The first second of a film is often black. */
const skipSeconds = 2;

/** One frame of a file or live input. */
export async function snapshot(target: ProbeTarget, secrets: readonly string[] = []): Promise<Snapshot> {
  const taken = await take(target, secrets, target.kind === 'file' ? skipSeconds : 0);
  // Films shorter than that.
  return target.kind === 'file' && !Buffer.isBuffer(taken) ? take(target, secrets, 0) : taken;
}

async function take(target: ProbeTarget, secrets: readonly string[], seconds: number): Promise<Snapshot> {
  const args = snapshotArgs(target, seconds);
  const { isMissing, code, cut, bytes, said } = await runTool({
    command: 'ffmpeg',
    args,
    secrets,
    niceness,
    withinMs,
    mostBytes,
  });
  if (isMissing) return { reason: 'no-ffmpeg' };
  if (code === 0 && !cut && bytes.length > 0) return bytes;
  return { reason: said.some((line) => /matches no streams/i.test(line)) ? 'no-video' : 'unreadable' };
}

function snapshotArgs(target: ProbeTarget, seconds: number): string[] {
  const size = `scale='min(${longest},iw)':'min(${longest},ih)':force_original_aspect_ratio=decrease:force_divisible_by=2`;
  return [
    '-hide_banner',
    '-nostdin',
    '-loglevel',
    'error',
    '-threads',
    '1',
    ...(seconds > 0 ? ['-ss', String(seconds)] : []),
    ...targetArgs(target),
    '-map',
    '0:v:0',
    '-frames:v',
    '1',
    '-an',
    '-vf',
    size,
    '-q:v',
    '5',
    '-threads',
    '1',
    '-c:v',
    'mjpeg',
    '-f',
    'image2pipe',
    'pipe:1',
  ];
}
