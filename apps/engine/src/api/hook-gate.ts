import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@weir/plane';
import type { ClientInfo } from '../hub/client-info.ts';
import { type FinishedSegment, type Gate, Refused } from '../hub/gate.ts';
import type { Identity } from './identity.ts';

const answerWithinMs = 5000;
const mostWaiting = 10_000;
const retryMs = 500;
const largestAnswer = 64 * 1024;

interface Options {
  /** The control plane's private socket. */
  readonly socketPath: string;
  readonly token: string;
  readonly identity: Identity;
  readonly log: Log;
}

interface Notice {
  readonly path: string;
  readonly body: object;
}

/** Tells the control plane what happens here, in the words of SRS's HTTP hooks. */
export class HookGate implements Gate {
  readonly #options: Options;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  /** What nobody waits for, in order; sent again while the control plane is away. */
  readonly #notices: Notice[] = [];
  readonly #abort = new AbortController();
  #sending: Promise<void> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  async publish(client: ClientInfo): Promise<void> {
    const answer = await this.#post(verifyPath, this.#body('on_publish', client)).catch((cause: unknown) => {
      throw new Refused('the server is starting or restarting, try again shortly', { cause });
    });
    if (!answer.isAccepted) throw new Refused(answer.message);
  }

  unpublish(client: ClientInfo): void {
    this.#notify({ path: verifyPath, body: this.#body('on_unpublish', client) });
  }

  /** Nothing refuses viewers today, so they do not wait for the answer. */
  async play(client: ClientInfo): Promise<void> {
    this.#notify({ path: verifyPath, body: { ...this.#body('on_play', client), pageUrl: client.pageUrl } });
  }

  stop(client: ClientInfo): void {
    this.#notify({ path: verifyPath, body: this.#body('on_stop', client) });
  }

  segment({ client, file, url, m3u8, m3u8Url, durationSeconds, sequence }: FinishedSegment): void {
    this.#notify({
      path: '/terraform/v1/hooks/srs/hls',
      body: {
        ...this.#body('on_hls', client),
        duration: Math.round(durationSeconds * 1000) / 1000,
        file,
        url,
        m3u8,
        m3u8_url: m3u8Url,
        seq_no: sequence,
      },
    });
  }

  async close(): Promise<void> {
    this.#abort.abort();
    this.#agent.destroy();
    await this.#sending;
  }

  #body(action: string, { id, address, place, param, tcUrl }: ClientInfo) {
    const { server, service } = this.#options.identity;
    return {
      server_id: server,
      service_id: service,
      action,
      client_id: id,
      ip: address,
      vhost: place.vhost,
      app: place.app,
      stream: place.name,
      param,
      tcUrl,
      stream_url: `/${place.app}/${place.name}`,
      stream_id: id,
    };
  }

  #notify(notice: Notice): void {
    if (this.#notices.length >= mostWaiting) this.#notices.shift();
    this.#notices.push(notice);
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  async #send(): Promise<void> {
    const { signal } = this.#abort;
    for (let notice = this.#notices[0]; notice && !signal.aborted; notice = this.#notices[0]) {
      try {
        await this.#post(notice.path, notice.body);
        this.#notices.shift();
      } catch {
        await sleep(retryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  #post(path: string, body: object): Promise<{ isAccepted: boolean; message: string }> {
    const { socketPath, token } = this.#options;
    const text = JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const outgoing = request({
        socketPath,
        path,
        method: 'POST',
        agent: this.#agent,
        headers: {
          host: 'weir',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          'x-weir-hook': token,
        },
      });
      outgoing.setTimeout(answerWithinMs, () => outgoing.destroy(new Error('no answer in time')));
      outgoing.on('error', reject);
      outgoing.on('response', (answer) => {
        let said = '';
        answer.setEncoding('utf8');
        answer.on('error', reject);
        answer.on('data', (chunk: string) => {
          if (said.length < largestAnswer) said += chunk;
        });
        answer.on('end', () => resolve(judge(answer.statusCode ?? 0, said)));
      });
      outgoing.end(text);
    });
  }
}

const verifyPath = '/terraform/v1/hooks/srs/verify';

/** Accepted = 200 or 201, and a body that is 0 or an object whose code is 0 (SRS 5). */
function judge(status: number, text: string): { isAccepted: boolean; message: string } {
  const refused = { isAccepted: false, message: 'the server refused this stream' };
  try {
    const answer: unknown = JSON.parse(text);
    const isFine =
      answer === 0 || (typeof answer === 'object' && answer !== null && 'code' in answer && answer.code === 0);
    if ((status === 200 || status === 201) && isFine) return { isAccepted: true, message: '' };
    if (typeof answer === 'object' && answer !== null && 'data' in answer) {
      const { data } = answer;
      if (typeof data === 'object' && data !== null && 'message' in data)
        return { ...refused, message: String(data.message) };
    }
  } catch {
    // Not one of ours: no reason to pass on.
  }
  return refused;
}
