import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import { OutgoingError } from '../../core/outgoing/outgoing-error.ts';
import type { OwnNetwork } from '../../core/outgoing/outgoing-target.ts';
import type { OutgoingClient, OutgoingPolicy } from '../../core/outgoing/request/outgoing-client.ts';
import type { Bucket } from '../../uploads/s3-client.ts';
import { type Credential, hmac, sha256 } from '../../uploads/sigv4.ts';

interface TencentKey {
  readonly secretId: string;
  readonly secretKey: string;
}

interface CallToSign {
  readonly service: string;
  readonly host: string;
  readonly body: string;
  readonly atSeconds: number;
}

const type = 'application/json; charset=utf-8';

/** Tencent Cloud's signature of version 3 (TC3-HMAC-SHA256) of a POST with a JSON body, as headers. */
export function signCall({ service, host, body, atSeconds }: CallToSign, key: TencentKey): Record<string, string> {
  const canonical = ['POST', '/', '', `content-type:${type}`, `host:${host}`, '', 'content-type;host', sha256(body)];
  const date = new Date(atSeconds * 1000).toISOString().slice(0, 10);
  const scope = `${date}/${service}/tc3_request`;
  const toSign = ['TC3-HMAC-SHA256', atSeconds, scope, sha256(canonical.join('\n'))].join('\n');
  const signingKey = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `TC3${key.secretKey}`);
  const signature = hmac(signingKey, toSign).toString('hex');
  return {
    'content-type': type,
    'x-tc-timestamp': String(atSeconds),
    authorization: `TC3-HMAC-SHA256 Credential=${key.secretId}/${scope}, SignedHeaders=content-type;host, Signature=${signature}`,
  };
}

/** Endpoints of Tencent Cloud. Tests run their own on this machine. */
export interface TencentPlaces {
  readonly api: (service: TencentService) => string;
  readonly storage: (region: string) => Pick<Bucket, 'endpoint' | 'isPathStyle'>;
  readonly ownNetwork: OwnNetwork;
}

export const tencentPlaces: TencentPlaces = {
  api: (service) => `https://${service}.tencentcloudapi.com`,
  storage: (region) => ({ endpoint: `https://cos.${region}.myqcloud.com`, isPathStyle: false }),
  ownNetwork: 'never',
};

type TencentService = 'cam' | 'vod';

const versions: Record<TencentService, string> = { cam: '2019-01-16', vod: '2018-07-17' };

export interface TencentCall<T> {
  readonly service: TencentService;
  readonly action: string;
  readonly body: object;
  readonly answer: z.ZodType<T>;
  readonly key: TencentKey;
  readonly region: string;
}

/** The one thing this feature asks of the cloud besides storage. Rejects with a `TencentError`. */
export interface TencentApi {
  call<T>(call: TencentCall<T>): Promise<T>;
}

/** Names the action and the cloud's own name of what went wrong; never what was sent. */
export class TencentError extends Error {
  override readonly name = 'TencentError';
  readonly code: string;

  constructor(action: string, code: string, reason: string, cause?: unknown) {
    super(`${action}: ${reason}`, { cause });
    this.code = code;
  }
}

const Envelope = z.object({
  Response: z.looseObject({
    Error: z
      .object({
        Code: z
          .string()
          .max(128)
          .regex(/^[\w.]+$/),
      })
      .optional(),
  }),
});

const policy = { verifiesTls: true, redirects: 0, withinMs: 20_000, answerBytes: 1024 * 1024 } as const;

export class TencentClient implements TencentApi {
  readonly #outgoing: OutgoingClient;
  readonly #places: TencentPlaces;
  readonly #clock: Pick<Clock, 'dateMs'>;

  constructor(outgoing: OutgoingClient, places: TencentPlaces, clock: Pick<Clock, 'dateMs'>) {
    this.#clock = clock;
    this.#outgoing = outgoing;
    this.#places = places;
  }

  async call<T>({ service, action, body, answer, key, region }: TencentCall<T>): Promise<T> {
    const url = this.#places.api(service);
    const text = JSON.stringify(body);
    const { host } = new URL(url);
    const headers = {
      ...signCall({ service, host, body: text, atSeconds: Math.floor(this.#clock.dateMs() / 1000) }, key),
      'x-tc-action': action,
      'x-tc-version': versions[service],
      'x-tc-region': region,
    };
    const { ownNetwork } = this.#places;
    const got = await this.#send({ url, method: 'POST', headers, body: text }, { ...policy, ownNetwork }, action);
    const envelope = Envelope.safeParse(got);
    if (!envelope.success) throw new TencentError(action, '', 'the response is not from Tencent Cloud');
    const { Error: refused } = envelope.data.Response;
    if (refused) throw new TencentError(action, refused.Code, `Tencent Cloud rejected the request (${refused.Code})`);
    const parsed = answer.safeParse(envelope.data.Response);
    if (!parsed.success) throw new TencentError(action, '', 'the response is incomplete', parsed.error);
    return parsed.data;
  }

  async #send(request: Parameters<OutgoingClient['send']>[0], asked: OutgoingPolicy, action: string): Promise<unknown> {
    try {
      const { body } = await this.#outgoing.send(request, asked);
      return JSON.parse(body.toString('utf8'));
    } catch (cause) {
      const reason = cause instanceof OutgoingError ? cause.message : 'the response is not from Tencent Cloud';
      throw new TencentError(action, '', reason, cause);
    }
  }
}

export function toStorage(
  places: TencentPlaces,
  { bucket, region, credential }: { bucket: string; region: string; credential: Credential },
): Bucket {
  return { ...places.storage(region), region, name: bucket, credential, ownNetwork: places.ownNetwork };
}
