import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type Clock, systemClock } from '../core/clock.ts';
import type { OwnNetwork } from '../core/outgoing/outgoing-target.ts';
import type { OutgoingClient, OutgoingPolicy } from '../core/outgoing/request/outgoing-client.ts';
import { parseS3Error, S3Error, toS3Error } from './s3-error.ts';
import { type Credential, emptyHash, encodeKey, sha256, signRequest } from './sigv4.ts';

/** Destination of objects. */
export interface Bucket {
  /** `https://host[:port]`, without the bucket. */
  readonly endpoint: string;
  readonly region: string;
  readonly name: string;
  /** The bucket is the first part of the path, not of the host's name. */
  readonly isPathStyle: boolean;
  readonly credential: Credential;
  readonly ownNetwork: OwnNetwork;
}

/** Bytes of a file, `from` to `to`, without the last. */
interface FilePart {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

interface Ask {
  readonly method: 'GET' | 'PUT' | 'POST' | 'HEAD' | 'DELETE';
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly withinMs?: number;
}

/** A storage may take its time to put the parts of a large file together. */
const completeWithinMs = 5 * 60_000;
/** Answers of S3 are short: errors, ids, lists that are not asked for. Redirects lead to another region, whose name is needed. */
const policy = { verifiesTls: true, redirects: 0, withinMs: 30_000, answerBytes: 256 * 1024 } as const;

/** The few calls of S3 that an upload needs. Every failure is an `S3Error`. */
export class S3Client {
  readonly #outgoing: OutgoingClient;
  readonly #bucket: Bucket;
  readonly #policy: OutgoingPolicy;
  readonly #clock: Pick<Clock, 'dateMs'>;

  constructor(outgoing: OutgoingClient, bucket: Bucket, clock: Pick<Clock, 'dateMs'> = systemClock) {
    this.#outgoing = outgoing;
    this.#bucket = bucket;
    this.#clock = clock;
    this.#policy = { ...policy, ownNetwork: bucket.ownNetwork };
  }

  /** A small object from memory. */
  async put(key: string, body: string, type: string, signal?: AbortSignal): Promise<void> {
    await this.#request({ method: 'PUT', key, body, headers: { 'content-type': type } }, signal);
  }

  async putFile(key: string, part: FilePart, type: string, signal?: AbortSignal): Promise<void> {
    await this.#upload(key, {}, part, { 'content-type': type }, signal);
  }

  /** Undefined when there is no such object. */
  async sizeOf(key: string, signal?: AbortSignal): Promise<number | undefined> {
    const { status, headers } = await this.#send({ method: 'HEAD', key }, signal);
    if (status === 404) return undefined;
    if (status !== 200) throw parseS3Error(status, '');
    return Number(headers['content-length']);
  }

  async read(key: string, signal?: AbortSignal): Promise<string> {
    return this.#request({ method: 'GET', key }, signal);
  }

  async delete(key: string, signal?: AbortSignal): Promise<void> {
    await this.#request({ method: 'DELETE', key }, signal);
  }

  /** Begins an upload in parts and returns its id. */
  async beginParts(key: string, type: string, signal?: AbortSignal): Promise<string> {
    const ask = { method: 'POST', key, query: { uploads: '' }, headers: { 'content-type': type } } as const;
    const [, id = ''] = /<UploadId>([^<]{1,1024})<\/UploadId>/.exec(await this.#request(ask, signal)) ?? [];
    if (id === '') throw new S3Error('refused', 'the storage returned no upload id');
    return unescapeXml(id);
  }

  /** Returns the part's ETag, which the final call must repeat. */
  async putPart(key: string, id: string, number: number, part: FilePart, signal?: AbortSignal): Promise<string> {
    const { etag } = await this.#upload(key, { partNumber: String(number), uploadId: id }, part, {}, signal);
    if (etag === undefined) throw new S3Error('refused', 'the storage did not confirm an uploaded part');
    return etag;
  }

  async completeParts(key: string, id: string, etags: readonly string[], signal?: AbortSignal): Promise<void> {
    const parts = etags.map(
      (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
    );
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    const headers = { 'content-type': 'application/xml' };
    const ask = { method: 'POST', key, query: { uploadId: id }, headers, body, withinMs: completeWithinMs } as const;
    const answer = await this.#request(ask, signal);
    // S3 sends the status before the result: an error may follow a 200.
    if (answer.includes('<Error>')) throw parseS3Error(200, answer);
  }

  async abortParts(key: string, id: string, signal?: AbortSignal): Promise<void> {
    await this.#request({ method: 'DELETE', key, query: { uploadId: id } }, signal);
  }

  /** For the bucket itself: an empty key. */
  async configure(
    query: Readonly<Record<string, string>>,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    await this.#request({ method: 'PUT', key: '', query, body, headers });
  }

  urlOf(key: string, query: Readonly<Record<string, string>> = {}): URL {
    const { endpoint, name, isPathStyle } = this.#bucket;
    const url = new URL(endpoint);
    if (!isPathStyle) url.hostname = `${name}.${url.hostname}`;
    const base = url.pathname.replace(/\/+$/, '');
    url.pathname = `${base}${isPathStyle ? `/${encodeKey(name)}` : ''}/${encodeKey(key)}`;
    for (const [parameter, value] of Object.entries(query)) url.searchParams.set(parameter, value);
    return url;
  }

  async #request(ask: Ask, signal?: AbortSignal): Promise<string> {
    const { status, body } = await this.#send(ask, signal);
    const text = body.toString('utf8');
    if (status < 200 || status > 299) throw parseS3Error(status, text);
    return text;
  }

  async #send({ method, key, query, headers = {}, body, withinMs = policy.withinMs }: Ask, signal?: AbortSignal) {
    const url = this.urlOf(key, query);
    const signed = this.#sign(method, url, headers, body === undefined ? emptyHash : sha256(body));
    const request = { url: url.href, method, headers: signed, ...(body !== undefined && { body }) };
    return this.#outgoing.send(request, { ...this.#policy, withinMs }, signal).catch((error: unknown) => {
      throw toS3Error(error);
    });
  }

  /** The file is read twice: its hash is part of the signature, so that nothing else arrives under it, and memory stays flat. */
  async #upload(
    key: string,
    query: Readonly<Record<string, string>>,
    { file, from, to }: FilePart,
    headers: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<{ etag: string | undefined }> {
    try {
      const url = this.urlOf(key, query);
      const bytes = to - from;
      const open = () => createReadStream(file, { start: from, end: Math.max(from, to - 1) });
      const hash = bytes === 0 ? emptyHash : await hashOf(open());
      const signed = this.#sign('PUT', url, headers, hash);
      const answer =
        bytes === 0
          ? await this.#outgoing.send({ url: url.href, method: 'PUT', headers: signed, body: '' }, this.#policy, signal)
          : await this.#outgoing.upload({ url: url.href, headers: signed, bytes, open }, this.#policy, signal);
      if (answer.status < 200 || answer.status > 299) throw parseS3Error(answer.status, answer.body.toString('utf8'));
      return { etag: answer.headers.etag };
    } catch (error) {
      throw toS3Error(error);
    }
  }

  #sign(method: string, url: URL, headers: Readonly<Record<string, string>>, payloadHash: string) {
    const { credential, region } = this.#bucket;
    return signRequest({ method, url, headers, payloadHash }, credential, {
      region,
      at: new Date(this.#clock.dateMs()),
    });
  }
}

async function hashOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of stream) hash.update(chunk);
  return hash.digest('hex');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

function unescapeXml(text: string): string {
  return Object.entries(entities).reduceRight((left, [sign, entity]) => left.replaceAll(entity, sign), text);
}
