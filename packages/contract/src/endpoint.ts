import * as z from 'zod';

/**
 * Who may call: `admin` needs a credential, `public` needs none, `room` takes the token of a live room in its place. A new endpoint is
 * `admin` unless it says otherwise.
 */
type Access = 'admin' | 'public' | 'room';

/** One call of the HTTP API. Routes, the typed client, forms and the OpenAPI document all follow from it. */
export interface Endpoint<Body extends z.ZodType = z.ZodType, Data extends z.ZodType = z.ZodType> {
  /** The method clients are told to use. The server accepts any, as clients of this API expect. */
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

/** A call of guests: the handler looks at `roomToken` of the body. Without one it is the administrator's. */
export function room<Data extends z.ZodType, Body extends z.ZodType = typeof Nothing>(
  path: string,
  options: Options<Body, Data>,
): Endpoint<Body, Data> {
  return endpoint('POST', path, { ...options, access: 'room' });
}

function endpoint<Body extends z.ZodType, Data extends z.ZodType>(
  method: 'GET' | 'POST',
  path: string,
  { summary, access = 'admin', body, data }: Options<Body, Data>,
): Endpoint<Body, Data> {
  // A call without a declared body takes none; the cast only ties the default to the type parameter's default.
  return { method, path, access, summary, data, body: body ?? (Nothing as z.ZodType as Body) };
}
