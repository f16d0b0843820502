import { MalformedMessage, MessageFields } from '@weir/streams';

/**
 * One call of the control server to the engine, on the engine's private socket. Both sides use the same object: the server encodes a request
 * and decodes the answer, the engine decodes the request and encodes an answer.
 */
export interface EngineCall<Request, Answer> {
  /** GET carries the request in the query, the others carry it as JSON. */
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  /** Limit for the body of a request. */
  readonly mostBytes: number;
  /** Throws MalformedMessage. The fields of a query are texts. */
  readonly decodeRequest: (body: unknown) => Request;
  /** Throws MalformedMessage. */
  readonly decodeAnswer: (data: unknown) => Answer;
}

/** Answer of a call that only changes something. */
type Done = Readonly<Record<string, never>>;
export const done: Done = Object.freeze({});

export function decodeDone(): Done {
  return done;
}

/** Request of a call without fields. */
type Nothing = Readonly<Record<string, never>>;

export function decodeNothing(): Nothing {
  return done;
}

/** Target and body of a request. */
export function encodeRequest<Request extends object>(
  { method, path }: EngineCall<Request, unknown>,
  request: Request,
): { readonly target: string; readonly body: string | undefined } {
  if (method !== 'GET') return { target: path, body: JSON.stringify(request) };
  const query = new URLSearchParams(
    Object.entries(request).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { target: query.size === 0 ? path : `${path}?${query}`, body: undefined };
}

/** `missing`: the engine has nothing that the request could be about, such as a stream that is not live. */
type EngineReply<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly message: string };

/** Status and code of a reply that is missing. */
export const missingCode = 404;

/** Decodes a whole reply, `{code, data}`. Throws MalformedMessage. */
export function decodeReply<Answer>(
  { decodeAnswer }: Pick<EngineCall<unknown, Answer>, 'decodeAnswer'>,
  reply: unknown,
): EngineReply<Answer> {
  const fields = new MessageFields(reply);
  const code = fields.whole('code');
  if (code === missingCode) return { kind: 'missing' };
  if (code !== 0) return { kind: 'refused', message: refusalMessage(fields) };
  try {
    return { kind: 'answer', answer: decodeAnswer(fields.value('data')) };
  } catch (error) {
    throw error instanceof MalformedMessage ? error.inside('data') : error;
  }
}

function refusalMessage(fields: MessageFields): string {
  try {
    return fields.part('data', (data) => new MessageFields(data).text('message'));
  } catch {
    return '';
  }
}
