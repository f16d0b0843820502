import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The sound of a film as PCM of 16 kHz, on the clock of the film: what begins late begins with silence. */
export async function soundOf(path: string): Promise<Buffer> {
  const pcm = `${path}.pcm`;
  const form = ['-af', 'aresample=16000:async=1:first_pts=0', '-ac', '1', '-f', 's16le'];
  await run('ffmpeg', ['-v', 'error', '-y', '-i', path, '-map', '0:a:0', ...form, pcm]);
  return readFileSync(pcm);
}

/** Streams of the file by ffprobe. */
export async function probeFilm(path: string): Promise<{ streams: Record<string, string>[]; bytes: number }> {
  const args = ['-v', 'error', '-count_packets', '-show_streams', '-of', 'json', path];
  const { stdout } = await run('ffprobe', args);
  return { streams: JSON.parse(stdout).streams, bytes: statSync(path).size };
}

/** Integrated loudness in LUFS (EBU R128). */
export async function loudnessOf(path: string): Promise<number> {
  const { stderr } = await run('ffmpeg', [
    '-nostats',
    '-i',
    path,
    '-map',
    '0:a:0',
    '-af',
    'ebur128=framelog=verbose',
    '-f',
    'null',
    '-',
  ]);
  return Number([...stderr.matchAll(/\bI:\s+(-?[\d.]+) LUFS/g)].at(-1)?.[1] ?? Number.NaN);
}

/** The seconds at which a dark picture becomes bright. */
export async function flashesIn(path: string): Promise<number[]> {
  const filter = 'scale=32:18,signalstats,metadata=mode=print:key=lavfi.signalstats.YAVG:file=-';
  const args = ['-v', 'error', '-i', path, '-map', '0:v:0', '-vf', filter, '-f', 'null', '-'];
  const { stdout } = await run('ffmpeg', args, { maxBuffer: 64 * 1024 * 1024 });
  const frames = [...stdout.matchAll(/pts_time:(-?[\d.]+)\s+lavfi\.signalstats\.YAVG=([\d.]+)/g)];
  const isBright = (at: number) => Number(frames[at]?.[2] ?? 0) > 128;
  return frames.flatMap(([, second], at) => (isBright(at) && !isBright(at - 1) ? [Number(second)] : []));
}
