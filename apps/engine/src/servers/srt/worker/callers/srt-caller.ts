import { parseSrtStreamId, type SrtStreamId, type StreamPlace } from '@weir/streams';

/** Reject reasons of SRT access control: 1000 and a status of HTTP. */
export const srtReject = {
  badRequest: 1400,
  overloaded: 1402,
  notFound: 1404,
  badMode: 1405,
  conflict: 1409,
  closing: 1503,
} as const;

/** Known streams, and whether they have a publisher. */
export interface Names {
  find(place: StreamPlace): { readonly isLive: boolean } | undefined;
}

interface Publishers extends Names {
  /**
   * True if the publisher there has been silent for a while: it may be gone, and this caller may be the same encoder.
   */
  isSilent(place: StreamPlace): boolean;
}

export interface SrtCaller {
  readonly wants: 'publish' | 'play';
  readonly place: StreamPlace;
  readonly param: string;
}

/**
 * Decides on a caller by local knowledge, or returns the reason for a refusal. Runs while libsrt waits, so it calls
 * nobody; the control plane checks the secret after the caller was accepted and before any media is read.
 */
export function judgeCaller(streamId: string, names: Publishers, canWait: boolean): SrtCaller | number {
  const asked = parseSrtStreamId(streamId);
  if (!asked) return srtReject.badRequest;
  if (asked.mode === 'unsupported') return srtReject.badMode;
  const { vhost, app, name, param } = asked;
  const place = { vhost, app, name };
  const stream = names.find(place);
  const wants = intentOf(asked, stream !== undefined);
  if (wants === 'publish' && stream?.isLive && !names.isSilent(place)) return srtReject.conflict;
  if (wants === 'play' && !stream && !canWait) return srtReject.notFound;
  return { wants, place, param };
}

/** The plain form has no mode: a caller with a secret publishes, others play an existing stream. */
function intentOf({ mode, param }: SrtStreamId, isThere: boolean): SrtCaller['wants'] {
  if (mode === 'publish') return 'publish';
  if (mode === 'request') return 'play';
  return isThere && !new URLSearchParams(param).has('secret') ? 'play' : 'publish';
}
