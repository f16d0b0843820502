import { wrappedMs } from '../../pipelines/segment-start.ts';
import { type AudioBlock, AudioBlocks } from '../../speech/audio-blocks.ts';

/** As light as listening to the stream itself, and later than that already. */
const niceness = 5;
const withinMs = 20_000;
/** Two minutes of sound: no segment is longer. */
const mostBytes = 4 * 1024 * 1024;

/** The sound of a segment that begins at `startMs`, on the clock of its stream. */
export async function segmentSound(file: string, startMs: number, signal: AbortSignal): Promise<AudioBlock[]> {
  // Loaded by the first one that is read: an idle server does without.
  const { runTool, segmentSpeechArgs } = await import('@weir/process');
  const args = ['-hide_banner', '-loglevel', 'error', ...segmentSpeechArgs(file)];
  const end = await runTool({ command: 'ffmpeg', args, niceness, withinMs, mostBytes, signal });
  if (end.code !== 0 || end.cut) throw new Error(end.cut ? 'extracting the audio took too long' : end.reason);
  // The clock of packets starts over once a day.
  const shiftMs = startMs - wrappedMs(startMs);
  return new AudioBlocks().push(end.bytes).map(({ atMs, pcm }) => ({ atMs: atMs + shiftMs, pcm }));
}
