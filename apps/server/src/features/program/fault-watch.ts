import type { Program } from '@weir/contract';
import type { InputSample, ProgramFault, ProgramStatus } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import { pictureLimit } from '@weir/process/picture-limit';
import { placeText, streamLabel } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import type { Task } from '../../core/task.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { FaultMeter, type Look } from './fault-meter.ts';

/** Pause between two looks. One program at a time decodes one keyframe of an input, so that many inputs make it slower and not heavier. */
const lookMs = 2000;
const size = { width: 64, height: 36 };
const withinMs = 5000;
/** Lower priority than viewers and publishers. */
const niceness = 10;

interface Context {
  readonly mediaServer: Pick<MediaServer, 'inputSample' | 'setInputFault'>;
  readonly programs: () => Promise<readonly Program[]>;
  readonly running: () => Promise<ReadonlyMap<string, ProgramStatus>>;
  readonly clock: Pick<Clock, 'pause' | 'elapsedMs'>;
  readonly log: Log;
}

/** Detects black, frozen and silent inputs of programs that ask for it, and reports them to the engine. */
export function faultWatch(context: Context): Task {
  const { clock, log } = context;
  const meters = new Map<string, FaultMeter>();
  return async (signal) => {
    while (!signal.aborted) {
      await lookAtAll(context, meters).catch((error: unknown) =>
        log.debug({ err: error }, 'inputs were not looked at'),
      );
      await clock.pause(lookMs, signal).catch(() => undefined);
    }
  };
}

async function lookAtAll(context: Context, meters: Map<string, FaultMeter>): Promise<void> {
  const watched = (await context.programs()).filter(
    ({ enabled, blackSeconds, frozenSeconds, quietSeconds }) =>
      enabled && blackSeconds + frozenSeconds + quietSeconds > 0,
  );
  const running = watched.length > 0 ? await context.running() : new Map<string, ProgramStatus>();
  const seen = new Set<string>();
  for (const program of watched) {
    for (const { id, clientId, fault } of running.get(placeText(program))?.inputs ?? []) {
      // A new publisher starts a new check.
      const key = `${program.uuid}/${id}/${clientId}`;
      if (clientId === '') continue;
      seen.add(key);
      const meter = meters.get(key) ?? new FaultMeter();
      meters.set(key, meter);
      await lookAt(context, { program, id, fault, meter });
    }
  }
  for (const key of meters.keys()) if (!seen.has(key)) meters.delete(key);
}

interface Watched {
  readonly program: Program;
  readonly id: string;
  readonly fault: ProgramFault;
  readonly meter: FaultMeter;
}

async function lookAt({ mediaServer, clock, log }: Context, { program, id, fault, meter }: Watched): Promise<void> {
  const sample = await mediaServer.inputSample(program, id);
  const look = sample && (await decode(sample));
  if (!look) return;
  const found = meter.add(look, clock.elapsedMs(), program);
  if (found === fault) return;
  await mediaServer.setInputFault(program, id, found);
  log.info({ stream: streamLabel(program), input: id, fault: found }, 'what an input sends has changed');
}

/** Undefined where nothing could be decoded, which says nothing. */
async function decode({ movie, hasVideo, hasAudio, keyframeMs }: InputSample): Promise<Look | undefined> {
  if (!hasVideo && !hasAudio) return undefined;
  // Loaded by the first look: most servers never look.
  const { runTool } = await import('@weir/process');
  const { code, cut, bytes, said } = await runTool({
    command: 'ffmpeg',
    args: decodeArgs(hasVideo, hasAudio),
    input: Buffer.from(movie, 'base64'),
    niceness,
    withinMs,
    mostBytes: size.width * size.height,
  });
  if (code !== 0 || cut) return undefined;
  const level = said.map((line) => /max_volume: (-?[\d.]+|-inf) dB/.exec(line)?.[1]).find((text) => text !== undefined);
  return {
    keyframeMs,
    pixels: hasVideo && bytes.length === size.width * size.height ? bytes : undefined,
    loudestDb: level === undefined ? undefined : level === '-inf' ? Number.NEGATIVE_INFINITY : Number(level),
  };
}

/** The picture as a few levels of gray on standard output, and the loudest sample on standard error. */
export function decodeArgs(hasVideo: boolean, hasAudio: boolean): string[] {
  const small = `scale=${size.width}:${size.height}:flags=area,format=gray`;
  return [
    ...['-hide_banner', '-nostats', '-loglevel', 'info', '-threads', '1', ...pictureLimit],
    ...['-protocol_whitelist', 'pipe', '-f', 'mov', '-i', 'pipe:0'],
    ...(hasVideo ? ['-map', '0:v:0', '-frames:v', '1', '-vf', small, '-f', 'rawvideo', 'pipe:1'] : []),
    ...(hasAudio ? ['-map', '0:a:0', '-af', 'volumedetect', '-f', 'null', '-'] : []),
  ];
}
