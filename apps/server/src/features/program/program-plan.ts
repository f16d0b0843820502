import { Glob, type Program, type ProgramInput, type SlateRule } from '@weir/contract';
import type { ProgramPlan } from '@weir/engine-api';
import { isPlaylist } from '@weir/process';
import { defaultVhost, type WirePlace } from '@weir/streams';

/** The owner's part of a slate in the engine's words. */
export type SlateArt = Omit<NonNullable<ProgramPlan['slate']>, 'afterMs' | 'mostMs'>;
export const plainArt: SlateArt = { picture: '', music: '', leastKbps: 0 };

/** Id of the slate in the engine's words. */
export const slateInput = 'slate';

/** A program in the engine's words. Of two slates none is better than the other, so there is one. */
export function planOf(program: Program, art: SlateArt): ProgramPlan {
  const { vhost, app, stream, inputs, failMs, isReturning, returnSeconds, leastSeconds, isConforming } = program;
  const hasSlate = inputs.some(({ kind }) => kind === 'slate');
  return {
    vhost,
    app,
    stream,
    isLasting: true,
    inputs: inputs.filter(({ kind }) => kind !== 'slate').map((input) => toInputPlan(input, failMs)),
    failMs,
    returnMs: isReturning ? returnSeconds * 1000 : -1,
    leastMs: leastSeconds * 1000,
    isConforming,
    ...(hasSlate && { slate: { afterMs: program.slateAfterMs, mostMs: program.slateSeconds * 1000, ...art } }),
  };
}

/** Least time without video after which a pull of HLS is lost: segments come seconds apart. */
const playlistFailMs = 10_000;

function toInputPlan({ id, kind, stream, url }: ProgramInput, failMs: number) {
  return {
    id,
    ...(kind === 'stream' && { source: parsePlace(stream) }),
    ...(kind === 'pull' && isPlaylist(url) && failMs < playlistFailMs && { failMs: playlistFailMs }),
  };
}

/** `app/name` or `vhost/app/name`. An app may have several levels, so the vhost is recognised only where it is named as one. */
export function parsePlace(text: string): WirePlace {
  const parts = text
    .trim()
    .replace(/^\/+|\/+$/g, '')
    .split('/');
  const hasVhost = parts.length > 2 && (parts[0] === defaultVhost || (parts[0] ?? '').includes('.'));
  const [vhost = defaultVhost, ...rest] = hasVhost ? parts : [defaultVhost, ...parts];
  return { vhost, app: rest.slice(0, -1).join('/'), stream: rest.at(-1) ?? '' };
}

/** The usual input of a stream whose only help is a slate. */
export const simpleInput = 'publisher';

/** Stream without a program that gets a slate while its publisher is away. */
export function simplePlan(place: WirePlace, rules: readonly SlateRule[]): ProgramPlan | undefined {
  const { vhost, app, stream } = place;
  const rule = rules.find(({ pattern }) => {
    const glob = Glob.parse(pattern);
    return glob instanceof Glob && glob.matches(`/${app}/${stream}`);
  });
  if (!rule) return undefined;
  return {
    vhost,
    app,
    stream,
    isLasting: false,
    inputs: [{ id: simpleInput }],
    failMs: 1000,
    returnMs: 0,
    leastMs: 0,
    isConforming: false,
    slate: { afterMs: 2000, mostMs: rule.seconds * 1000, ...plainArt },
  };
}
