import { runTool, type ToolEnd } from '../child/run-tool.ts';
import { type FailureCause, findFailureCause } from './failure-cause.ts';
import { fileOptions, liveInputOptions, stillOptions } from './ffmpeg-args.ts';
import { rebuildAddress } from './input-address.ts';

const limitMs = 15_000;
/** A probe of a film has a few kilobytes; one of a hostile file may have any number. */
const mostBytes = 1024 * 1024;

/** ffprobe's JSON, not validated further. */
type ProbeAnswer =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly cause: FailureCause; readonly detail: string };

export type ProbeTarget =
  | { readonly kind: 'live'; readonly url: string; readonly options?: readonly string[] }
  | { readonly kind: 'file'; readonly path: string };

interface Options {
  readonly secrets?: readonly string[];
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
}

/** Looks what a file or live input holds. It is given no more than 15 s, and a failure is an answer. */
export async function ffprobe(target: ProbeTarget, options: Options = {}): Promise<ProbeAnswer> {
  const { secrets = [], limitMs: withinMs = limitMs, signal } = options;
  const end = await runTool({
    command: 'ffprobe',
    args: [
      '-hide_banner',
      '-loglevel',
      'error',
      '-find_stream_info',
      '-print_format',
      'json',
      '-show_format',
      '-show_streams',
      ...targetArgs(target),
    ],
    secrets,
    withinMs,
    mostBytes,
    ...(signal && { signal }),
  });
  const { cut } = end;
  if (cut === 'time') return { ok: false, cause: 'timed-out', detail: 'no result within 15 s' };
  if (cut === 'size') return { ok: false, cause: 'input-broken', detail: 'its metadata is too large' };
  return answerOf(end);
}

/** Input options for a target. */
export function targetArgs(target: ProbeTarget): string[] {
  if (target.kind === 'file') return [...(stillOptions(target.path) ?? fileOptions), '-i', `file:${target.path}`];
  const url = rebuildAddress(target.url);
  return [...liveInputOptions(url), ...(target.options ?? []), '-i', url];
}

function answerOf(end: ToolEnd): ProbeAnswer {
  const { output, said } = end;
  if (end.code !== 0) return { ok: false, ...findFailureCause(said, end) };
  try {
    return { ok: true, json: JSON.parse(output) };
  } catch {
    return { ok: false, cause: 'input-broken', detail: said.at(-1) ?? 'ffprobe returned no usable output' };
  }
}
