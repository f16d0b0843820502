import { type HookDelivery, hookTestEvent } from '@weir/contract';
import { defaultVhost, type WirePlace } from '@weir/streams';
import type { Timeline } from '../../timeline-store/timeline.ts';
import type { Tried } from './hook-sender.ts';

/** Attempt with the event it was about. */
export type TriedDelivery = Tried & Pick<HookDelivery, 'action'>;

/** Notes a try with the broadcast it is about. Neither what was sent nor what was answered: both are the owner's. */
export function noteTried(timeline: Pick<Timeline, 'note' | 'noteEarly'>, tried: TriedDelivery): void {
  const { action, outcome, failure, status, tookMs } = tried;
  const place = placeOf(tried);
  if (!place || outcome === 'stopped' || action === hookTestEvent) return;
  const happening = {
    what: `callback-${outcome}`,
    facts: { event: action, ...(failure !== '' && { failure }), ...(status > 0 && { status: String(status) }) },
    numbers: { ms: tookMs },
  } as const;
  // A publisher is asked for before it is there.
  if (action === 'on_publish') timeline.noteEarly(place, happening);
  else timeline.note(place, happening);
}

function placeOf({ req }: Pick<Tried, 'req'>): WirePlace | undefined {
  const { vhost = defaultVhost, app, stream } = JSON.parse(req) as Partial<WirePlace>;
  return app === undefined || stream === undefined ? undefined : { vhost, app, stream };
}
