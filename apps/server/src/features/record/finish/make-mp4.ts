import { rm, stat, writeFile } from 'node:fs/promises';
import { segmentFormats } from '@weir/streams';
import { JobError } from '../../../process-reports/job-error.ts';
import { readOutTimeMs, runJobTool } from '../../../process-reports/job-tool.ts';
import { type LoggedSegment, sumSegments } from '../../../segments/segment-log.ts';
import { segmentPlaylist, splitRuns } from '../../../segments/segment-playlist.ts';
import type { Cue } from '../../../speech/cue.ts';
import { transcriptFile } from '../../../speech/transcript-file.ts';
import { publishFile, type RecordingFiles } from '../library/recording-files.ts';
import { conversionArgs, probeArgs, remuxArgs, runList, thumbnailArgs } from './remux-args.ts';
import { areAlike, commonTracks, readTracks, type Tracks } from './tracks.ts';

interface Mp4Job {
  readonly files: RecordingFiles;
  readonly uuid: string;
  readonly segments: readonly LoggedSegment[];
  /** Cues for a subtitle track; none without speech. */
  readonly cues: readonly Cue[];
  /** Language of the cues; empty if unknown. */
  readonly language: string;
  readonly onPercent: (percent: number) => void;
  /** A part that could not be converted is missing in the file; its segments stay. */
  readonly onLeftOut: (durationMs: number, error: JobError) => void;
  readonly signal: AbortSignal;
}

const quietMs = 60_000;
const probeMs = 20_000;
/** A track that began this late in a part, which is seldom, is replaced in it. */
const mostProbed = 3;
/** The second pass, which moves the index to the front, says nothing: a slow disk writes at least this much. */
const slowestBytesPerMs = 5000;

/** Segments that exist as logged. After a missing one, the next starts a new part. */
export async function intactSegments(
  files: RecordingFiles,
  uuid: string,
  segments: readonly LoggedSegment[],
): Promise<LoggedSegment[]> {
  const intact: LoggedSegment[] = [];
  let isBroken = false;
  for (const segment of segments) {
    const facts = await stat(files.segment(uuid, segment)).catch(() => undefined);
    const hasInit = segment.init === '' || (await stat(files.init(uuid, segment.init)).catch(() => undefined));
    if (facts?.size !== segment.bytes || !hasInit) {
      isBroken = intact.length > 0;
      continue;
    }
    intact.push(isBroken ? { ...segment, isDiscontinuity: true } : segment);
    isBroken = false;
  }
  return intact;
}

/** Makes `index.m3u8` and `index.mp4` of a recording; returns size and duration of the latter. Safe to repeat. */
export async function makeMp4(job: Mp4Job): Promise<{ bytes: number; durationMs: number }> {
  const { files, uuid, segments, signal, onPercent } = job;
  const file = (name: string) => files.file(uuid, name);
  await writePlaylist(file('index.m3u8'), segments);
  const runs = splitRuns(segments);
  const tracks: Tracks[] = [];
  for (const run of runs) tracks.push(await tracksOf(probedFiles(files, uuid, run), signal));
  const scratch: string[] = [];
  try {
    const isList = runs.length > 1;
    let input = file('index.m3u8');
    if (isList) {
      const parts: { name: string; durationMs: number }[] = [];
      const isMixed = !areAlike(tracks);
      for (const [index, run] of runs.entries()) {
        const { durationMs } = sumSegments(run);
        const playlist = `run-${index}.m3u8`;
        scratch.push(file(playlist));
        await writePlaylist(file(playlist), run);
        const runTracks = tracks[index];
        if (!isMixed || !runTracks) {
          parts.push({ name: playlist, durationMs });
          continue;
        }
        const output = `run-${index}.ts`;
        scratch.push(file(output));
        const common = commonTracks(tracks);
        const args = conversionArgs({
          input: file(playlist),
          output: file(output),
          durationMs,
          tracks: runTracks,
          common,
        });
        try {
          await runJobTool({ command: 'ffmpeg', args, quietMs, signal });
        } catch (error) {
          // An undecodable moment must not lose the rest. The end checks how much is missing.
          job.onLeftOut(durationMs, unlessBroken(error));
          continue;
        }
        parts.push({ name: output, durationMs });
      }
      input = file('runs.ffconcat');
      scratch.push(input);
      await writeFile(input, runList(parts));
    }
    const temporary = file('index.mp4.tmp');
    scratch.push(temporary);
    const totals = sumSegments(segments);
    const cues = job.cues.filter(({ startMs }) => startMs < totals.durationMs);
    const subtitles = cues.length === 0 ? undefined : file('words.srt');
    if (subtitles !== undefined) {
      scratch.push(subtitles);
      // Later cues would make the file longer than its video.
      const within = cues.map((cue) => ({ ...cue, endMs: Math.min(cue.endMs, totals.durationMs) }));
      await writeFile(subtitles, transcriptFile(within, 'srt'), { mode: 0o600 });
    }
    let outMs = 0;
    const remux = (track: string | undefined) =>
      runJobTool({
        command: 'ffmpeg',
        args: remuxArgs({
          input,
          isList,
          subtitles: track,
          language: job.language,
          output: temporary,
          isHevc: tracks[0]?.video?.codec === 'hevc',
        }),
        quietMs: quietMs + totals.bytes / slowestBytesPerMs,
        onOutput: (text) => {
          outMs = readOutTimeMs(text) ?? outMs;
          onPercent(Math.min(99, Math.round((100 * outMs) / Math.max(1, totals.durationMs))));
        },
        signal,
      });
    // Words are an addition: a film without them is better than none.
    await remux(subtitles).catch((error: unknown) => {
      if (subtitles === undefined) throw error;
      unlessBroken(error);
      return remux(undefined);
    });
    assertWhole(outMs, totals.durationMs);
    await publishFile(temporary, file('index.mp4'), files.directory(uuid));
    const { size } = await stat(file('index.mp4'));
    return { bytes: size, durationMs: Math.round(outMs) };
  } finally {
    for (const path of scratch) await rm(path, { force: true });
  }
}

/** False where there is no picture. */
export async function makeThumbnail(
  files: RecordingFiles,
  { uuid, segment, signal }: { uuid: string; segment: LoggedSegment; signal: AbortSignal },
): Promise<boolean> {
  const temporary = files.file(uuid, 'index.jpg.tmp');
  const playlist = files.file(uuid, 'thumbnail.m3u8');
  try {
    await writePlaylist(playlist, [segment]);
    const args = thumbnailArgs(playlist, temporary);
    await runJobTool({ command: 'ffmpeg', args, quietMs: probeMs, signal });
    await publishFile(temporary, files.file(uuid, 'index.jpg'), files.directory(uuid));
    return true;
  } catch (error) {
    signal.throwIfAborted();
    // Sound alone, or a first segment that cannot be read: the recording is what matters.
    if (error instanceof JobError || (error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
    await rm(playlist, { force: true });
  }
}

interface ProbedFile {
  readonly path: string;
  readonly demuxer: string;
}

/** Files that tell the tracks of a run: its init section, or its first segments. */
function probedFiles(files: RecordingFiles, uuid: string, run: readonly LoggedSegment[]): ProbedFile[] {
  return run.slice(0, mostProbed).map((segment) => ({
    path: segment.init === '' ? files.segment(uuid, segment) : files.init(uuid, segment.init),
    demuxer: segmentFormats[segment.format].demuxer,
  }));
}

/** By the first file, and the next ones where a track has nothing in that. */
async function tracksOf(run: readonly ProbedFile[], signal: AbortSignal): Promise<Tracks> {
  let [video, audio]: [Tracks['video'], Tracks['audio']] = [undefined, undefined];
  for (const file of run) {
    let text = '';
    const onOutput = (chunk: string) => {
      text += chunk;
    };
    await runJobTool({
      command: 'ffprobe',
      args: probeArgs(file.path, file.demuxer),
      quietMs: probeMs,
      onOutput,
      signal,
    }).catch(unlessBroken);
    const found = readTracks(text === '' ? '{}' : text);
    video ??= found.video;
    audio ??= found.audio;
    if (!found.hasEmpty) break;
  }
  return { video, audio };
}

function writePlaylist(file: string, segments: readonly LoggedSegment[]): Promise<void> {
  return writeFile(file, segmentPlaylist(segments, { isOpen: false, uri: (name) => name }), {
    mode: 0o600,
  });
}

/** Complaints of a program about its input are results; other errors are rethrown. */
function unlessBroken(error: unknown): JobError {
  if (error instanceof JobError && error.failure === 'ffmpeg') return error;
  throw error;
}

/** ffmpeg skips what it cannot read and still ends well: a file of half the length is no success. */
function assertWhole(outMs: number, expectedMs: number): void {
  if (outMs >= expectedMs * 0.8 - 2000) return;
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  throw new JobError('ffmpeg', `only ${seconds(outMs)} s of ${seconds(expectedMs)} s could be read`);
}
