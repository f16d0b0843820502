import * as z from 'zod';

/**
 * Access rule: `admin` needs credentials, `public` none, `room` accepts a room token instead, `setup` the set-up code as bearer while the
 * server has no password. The default is `admin`.
 */
type Access = 'admin' | 'public' | 'room' | 'setup';

/** One call of the HTTP API; routes, client, forms and the OpenAPI document derive from it. */
export interface Endpoint<Body extends z.ZodType = z.ZodType, Data extends z.ZodType = z.ZodType> {
  /** Documented method. The server accepts any, as existing clients expect. */
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly access: Access;
  readonly body: Body;
  readonly data: Data;
  readonly summary: string;
}

export type BodyOf<E extends Endpoint> = z.input<E['body']>;
export type DataOf<E extends Endpoint> = z.output<E['data']>;

const Nothing = z.object({});

interface Options<Body extends z.ZodType, Data extends z.ZodType> {
  readonly summary: string;
  readonly access?: Access;
  readonly body?: Body;
  readonly data: Data;
}

export function get<Data extends z.ZodType, Body extends z.ZodType = typeof Nothing>(
  path: string,
  options: Options<Body, Data>,
): Endpoint<Body, Data> {
  return endpoint('GET', path, options);
}

export function post<Data extends z.ZodType, Body extends z.ZodType = typeof Nothing>(
  path: string,
  options: Options<Body, Data>,
): Endpoint<Body, Data> {
  return endpoint('POST', path, options);
}

/** Call for guests: the handler checks `roomToken` in the body. Without one it is an administrator's call. */
export function room<Data extends z.ZodType, Body extends z.ZodType = typeof Nothing>(
  path: string,
  options: Options<Body, Data>,
): Endpoint<Body, Data> {
  return endpoint('POST', path, { ...options, access: 'room' });
}

/** Call for administrators and for whoever sets up a new server. */
export function setup<Data extends z.ZodType, Body extends z.ZodType = typeof Nothing>(
  path: string,
  options: Options<Body, Data>,
): Endpoint<Body, Data> {
  return endpoint('POST', path, { ...options, access: 'setup' });
}

function endpoint<Body extends z.ZodType, Data extends z.ZodType>(
  method: 'GET' | 'POST',
  path: string,
  { summary, access = 'admin', body, data }: Options<Body, Data>,
): Endpoint<Body, Data> {
  // The cast ties the default body to the default type parameter.
  return { method, path, access, summary, data, body: body ?? (Nothing as z.ZodType as Body) };
}
