import { defaultVhost, type WirePlace } from '@weir/dialect';
import type { Supervisor, WorkChange } from '@weir/process';
import type { Events } from '../../core/events.ts';
import type { Timeline, TimelineEvent } from '../../timeline-store/timeline.ts';

interface Context {
  readonly events: Events;
  readonly supervisor: Pick<Supervisor, 'onChange'>;
  readonly timeline: Timeline;
}

/** Notes what the rest of the server announces anyway. */
export function noteEvents({ events, supervisor, timeline }: Context): void {
  events.on('stream:published', ({ clientId, protocol = '', address = '', ...place }) =>
    timeline.begin(place, clientId, { what: 'publisher-connected', facts: { protocol, address } }),
  );
  events.on('stream:ended', ({ clientId, why = '', ...place }) =>
    timeline.end(place, clientId, { what: 'publisher-left', facts: { reason: why } }),
  );
  events.on('publish:refused', ({ protocol, address, reason, ...place }) =>
    timeline.noteEarly(place, { what: 'publisher-refused', facts: { protocol, address, reason } }),
  );
  events.on('record:began', ({ uuid, ...place }) => {
    timeline.addRecording(place, uuid);
    timeline.note(place, { what: 'recording-began', facts: { recording: uuid } });
  });
  events.on('record:ended', ({ uuid, isDone, ...place }) => {
    timeline.addRecording(place, uuid);
    timeline.note(place, { what: isDone ? 'recording-ended' : 'recording-failed', facts: { recording: uuid } });
  });
  supervisor.onChange((change) => noteWork(timeline, change));
}

function noteWork(timeline: Timeline, { key, what, runsFor, makes, failure }: WorkChange): void {
  const happening: TimelineEvent = {
    what: `process-${what}`,
    facts: { process: key, ...(failure && { cause: failure.cause }) },
  };
  if (runsFor !== undefined) timeline.noteClient(runsFor, happening);
  const made = makes === undefined ? undefined : placeOf(makes);
  // A program that makes the stream is there before it and may outlive it.
  if (made) timeline.noteEarly(made, happening);
}

/** Of `app/name` or `vhost/app/name`. */
function placeOf(text: string): WirePlace | undefined {
  const [stream, app, vhost = defaultVhost, ...more] = text.split('/').reverse();
  return stream === undefined || app === undefined || more.length > 0 ? undefined : { vhost, app, stream };
}
