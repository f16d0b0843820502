import { MessageFields, maxNameLength, type WirePlace } from '@weir/streams';

/** Vhost, app and name of a stream, from any message that holds them. */
export function decodePlace(body: unknown): WirePlace {
  const fields = new MessageFields(body);
  const name = { least: 1, most: maxNameLength };
  return { vhost: fields.text('vhost', name), app: fields.text('app', name), stream: fields.text('stream', name) };
}
