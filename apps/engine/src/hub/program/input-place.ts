import type { StreamPlace } from '@weir/streams';

/** Character that no name from a publisher or viewer can contain. */
const mark = '\u0001';

/** Name of the stream of an input, which lies beside the stream of its program. */
export function inputPlace({ vhost, app, name }: StreamPlace, input: string): StreamPlace {
  return { vhost, app, name: `${name}${mark}${input}` };
}

/** Name of the stream that a client publishes or plays. */
export function streamPlaceOf({ place, input }: { readonly place: StreamPlace; readonly input?: string }): StreamPlace {
  return input === undefined ? place : inputPlace(place, input);
}

/** True for the stream of an input, which viewers, counts and lists leave out. */
export function isInputPlace({ name }: Pick<StreamPlace, 'name'>): boolean {
  return name.includes(mark);
}
