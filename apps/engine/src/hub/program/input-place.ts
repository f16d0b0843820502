import type { StreamPlace } from '@weir/streams';

/** No name that a publisher or viewer can send has it. */
const mark = '\u0001';

/** The stream of an input, beside the stream of its program. */
export function inputPlace({ vhost, app, name }: StreamPlace, input: string): StreamPlace {
  return { vhost, app, name: `${name}${mark}${input}` };
}

/** The stream that a client publishes or plays. */
export function streamPlaceOf({ place, input }: { readonly place: StreamPlace; readonly input?: string }): StreamPlace {
  return input === undefined ? place : inputPlace(place, input);
}

/** True for the stream of an input, which is no stream to viewers, counts and lists. */
export function isInputPlace({ name }: Pick<StreamPlace, 'name'>): boolean {
  return name.includes(mark);
}
