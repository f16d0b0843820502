import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  besideEntry,
  clientHookBody,
  decodeInputChoice,
  engineHooks,
  type FinishedSegment,
  type HookClient,
  type HookProtocol,
  type InputChoice,
  type ProgramReport,
  type PublisherEnd,
  privateHeaders,
  type SegmentPlace,
  segmentHookBody,
} from '@weir/engine-api';
import { IdleTimeout, type Log } from '@weir/plane';
import { type EngineRefusal, type SegmentFormatName, segmentFormatNames } from '@weir/streams';
import type { ClientInfo } from '../hub/clients/client-info.ts';
import { type Gate, Refused } from '../hub/clients/gate.ts';
import type { Identity } from './identity.ts';
import type { SpoolWriter } from './spool-writer.ts';

const answerWithinMs = 5000;
const mostWaiting = 10_000;
/** Refusals are unlimited; a few log lines are enough. */
const mostRefusals = 20;
const refusalPauseMs = 200;
const retryMs = 500;
/** Hooks of viewers are sent in order and in the background, because a thousand viewers may come at once. */
const viewerPauseMs = 5;
const largestAnswer = 64 * 1024;
/** Segments that may wait for a slow disk before their hook is sent; further ones are announced without waiting. */
const mostSpooling = 1000;

interface Options {
  /** The control plane's private socket. */
  readonly socketPath: string;
  readonly token: string;
  readonly identity: Identity;
  /** Spool in which segments wait for the control plane. */
  readonly spool: Pick<SpoolWriter, 'keep'>;
  readonly log: Log;
  /** Notices that wait for a control plane that is away: of streams, and of viewers. */
  readonly mostWaiting?: number;
}

interface Notice {
  readonly path: string;
  readonly body: object;
  /** Wakes readers only; a missed event delays them a little. */
  readonly isBell?: boolean;
}

/** Notices in order, sent again while the control plane is away, with a pause after each. */
class Outbox {
  readonly #send: (notice: Notice) => Promise<unknown>;
  readonly #pauseMs: number;
  readonly #most: number;
  readonly #signal: AbortSignal;
  readonly #waiting: Notice[] = [];
  #running: Promise<void> | undefined;

  constructor(
    send: (notice: Notice) => Promise<unknown>,
    signal: AbortSignal,
    { pauseMs = 0, most }: { pauseMs?: number; most: number },
  ) {
    this.#send = send;
    this.#signal = signal;
    this.#pauseMs = pauseMs;
    this.#most = most;
  }

  add(notice: Notice): void {
    if (this.#waiting.length >= this.#most) this.#makeRoom();
    this.#waiting.push(notice);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** A bell goes first: the end of a stream must be reported. */
  #makeRoom(): void {
    const bell = this.#waiting.findIndex(({ isBell }) => isBell);
    this.#waiting.splice(Math.max(bell, 0), 1);
  }

  async #run(): Promise<void> {
    // Taken out while it is sent, so that making room drops another one.
    for (let notice = this.#waiting.shift(); notice && !this.#signal.aborted; notice = this.#waiting.shift()) {
      const sent = notice;
      const pauseMs = await this.#send(sent).then(
        () => this.#pauseMs,
        () => {
          this.#waiting.unshift(sent);
          return retryMs;
        },
      );
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: this.#signal }).catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    await this.#running;
  }
}

/** Tells the control plane what happens here, in the words of SRS's HTTP hooks. */
export class HookGate implements Gate {
  /** Formats of finished segments that the control plane needs. All until it says so: no restart may lose any. */
  wantedFormats: readonly SegmentFormatName[] = segmentFormatNames;
  /** The same of lower qualities; undefined for all. */
  wantedQualities: readonly string[] | undefined;
  readonly #options: Options;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #abort = new AbortController();
  readonly #streams: Outbox;
  readonly #viewers: Outbox;
  readonly #refusals: Outbox;
  #spooled: Promise<void> = Promise.resolve();
  #spooling = 0;

  constructor(options: Options) {
    this.#options = options;
    const send = ({ path, body }: Notice) => this.#post(path, body);
    const { signal } = this.#abort;
    this.#streams = new Outbox(send, signal, { most: options.mostWaiting ?? mostWaiting });
    this.#viewers = new Outbox(send, signal, { pauseMs: viewerPauseMs, most: options.mostWaiting ?? mostWaiting });
    this.#refusals = new Outbox(send, signal, { pauseMs: refusalPauseMs, most: mostRefusals });
  }

  publish(client: ClientInfo): Promise<InputChoice | undefined> {
    return this.#requestPublish('on_publish', client);
  }

  /** Checks permission for another media server: the secret counts, and no publication starts. */
  async mayPublish(client: ClientInfo): Promise<void> {
    await this.#requestPublish('on_publish_asked', client);
  }

  async #requestPublish(
    action: 'on_publish' | 'on_publish_asked',
    client: ClientInfo,
  ): Promise<InputChoice | undefined> {
    return this.#request(clientHookBody(action, this.#named(client)));
  }

  async #request(body: object): Promise<InputChoice | undefined> {
    const answer = await this.#post(engineHooks.client.path, body).catch((cause: unknown) => {
      throw new Refused('the server is starting or restarting, try again shortly', { cause });
    });
    if (!answer.isAccepted) throw new Refused(answer.message);
    return answer.choice;
  }

  unpublish(client: ClientInfo, why: PublisherEnd): void {
    this.#streams.add({
      path: engineHooks.client.path,
      body: clientHookBody('on_unpublish', this.#named(client), { why, ...inputOf(client) }),
    });
  }

  publishRefused(client: ClientInfo, reason: EngineRefusal): void {
    const body = clientHookBody('on_publish_refused', this.#named(client), { reason });
    this.#refusals.add({ path: engineHooks.client.path, body });
  }

  /** A program publishes its own stream, which needs no permission. */
  programBegan(client: ClientInfo): void {
    const body = clientHookBody('on_publish', this.#named(client), { isProgram: true });
    this.#streams.add({ path: engineHooks.client.path, body });
  }

  programSwitched(report: ProgramReport): void {
    this.#streams.add({ path: engineHooks.program.path, body: report });
  }

  /** Asks the owner's receiver, for a stream that it decides about. */
  async mayPlay({ place, param, address }: Pick<ClientInfo, 'place' | 'param' | 'address'>): Promise<void> {
    const { server, service } = this.#options.identity;
    const ids = { serverId: server, serviceId: service, id: 'viewer', tcUrl: '', protocol: 'hls' as const };
    await this.#request(clientHookBody('on_play_asked', { ...ids, address, place, param }));
  }

  /** Does not wait for the answer: play access is decided in this process. */
  async play(client: ClientInfo): Promise<void> {
    const { pageUrl, isPreview = false, link } = client;
    const body = clientHookBody('on_play', this.#named(client), { pageUrl, isPreview, ...(link && { link }) });
    this.#viewers.add({ path: engineHooks.client.path, body });
  }

  stop(client: ClientInfo): void {
    this.#viewers.add({ path: engineHooks.client.path, body: clientHookBody('on_stop', this.#named(client)) });
  }

  segment(segment: FinishedSegment, publisher: ClientInfo, place: SegmentPlace): void {
    if (!this.#isWanted(segment)) return;
    const body = segmentHookBody(segment, this.#named(publisher), place);
    const entryBody = (file: string) => ({
      ...body,
      file,
      ...(segment.init && file !== segment.file && { init_file: besideEntry(file, 'init') }),
    });
    const announce = (file: string) =>
      this.#streams.add({ path: engineHooks.segment.path, body: entryBody(file), isBell: true });
    if (this.#spooling >= mostSpooling) {
      announce(segment.file);
      return;
    }
    // Sequential, so that entries are consumed in the order they were made.
    this.#spooling++;
    this.#spooled = this.#spooled
      .then(() => this.#options.spool.keep(segment, body))
      .then((kept) => {
        this.#spooling--;
        announce(kept);
      });
  }

  /** Lower qualities come in one format. */
  #isWanted({ format, quality }: FinishedSegment): boolean {
    if (quality === undefined) return this.wantedFormats.includes(format);
    return this.wantedQualities?.includes(quality) ?? true;
  }

  async close(): Promise<void> {
    // The last segments of all streams are not announced any more; the next start finds them in the spool.
    await this.#spooled;
    this.#abort.abort();
    this.#agent.destroy();
    await Promise.all([this.#streams.close(), this.#viewers.close(), this.#refusals.close()]);
  }

  #named({ id, kind, address, place, param, tcUrl }: ClientInfo): HookClient {
    const { server, service } = this.#options.identity;
    const protocol = kind.split('-')[0] as HookProtocol;
    return { serverId: server, serviceId: service, id, address, place, param, tcUrl, protocol };
  }

  #post(path: string, body: object, agent: Agent | false = this.#agent): Promise<Judged> {
    const { socketPath, token } = this.#options;
    const text = JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const outgoing = request({
        socketPath,
        path,
        method: 'POST',
        agent,
        headers: {
          host: 'weir',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          [privateHeaders.hookToken]: token,
        },
      });
      const patience = new IdleTimeout(answerWithinMs, () => outgoing.destroy(new Error('no answer in time')));
      const fail = (error: NodeJS.ErrnoException) => {
        // An idle connection was closed before the request was read, so sending it again on a new one is safe.
        const isStale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        if (isStale && !this.#abort.signal.aborted) this.#post(path, body, false).then(resolve, reject);
        else reject(error);
      };
      outgoing.on('error', fail).on('close', () => patience.end());
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

interface Judged {
  readonly isAccepted: boolean;
  readonly message: string;
  readonly choice: InputChoice | undefined;
}

/** Id of the input in hooks of a publisher that has one. */
function inputOf({ input }: ClientInfo): { input?: string } {
  return input === undefined ? {} : { input };
}

/** Accepted = 200 or 201, and a body that is 0 or an object whose code is 0 (SRS 5). */
function judge(status: number, text: string): Judged {
  const refused = { isAccepted: false, message: 'the server refused this stream', choice: undefined };
  try {
    const answer: unknown = JSON.parse(text);
    const isFine =
      answer === 0 || (typeof answer === 'object' && answer !== null && 'code' in answer && answer.code === 0);
    if ((status === 200 || status === 201) && isFine) {
      const choice = typeof answer === 'object' && 'data' in answer ? decodeInputChoice(answer.data) : undefined;
      return { isAccepted: true, message: '', choice };
    }
    if (typeof answer === 'object' && answer !== null && 'data' in answer) {
      const { data } = answer;
      if (typeof data === 'object' && data !== null && 'message' in data)
        return { ...refused, message: String(data.message) };
    }
  } catch {
    // Unknown reasons are not passed on.
  }
  return refused;
}
