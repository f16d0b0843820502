import type { Listen } from '@weir/plane';
import { errorMessage } from '@weir/plane/error-message';
import { ClientReports } from '../../workers/worker/client-reports.ts';
import { RemotePublication } from '../../workers/worker/remote-publication.ts';
import type { WorkerContext } from '../../workers/worker/run-worker.ts';
import type {
  BeginPlay,
  BeginPublish,
  BeginTest,
  RtcEngineNote,
  RtcWorkerNote,
  RtcWorkerSettings,
} from './rtc-notes.ts';
import { RtcSessions } from './sessions/rtc-sessions.ts';
import type { WebRtcConnection } from './sessions/webrtc-connection.ts';
import { openRtcPort } from './transport/open-rtc-port.ts';
import type { RtcPort, TransportFacts } from './transport/rtc-transport.ts';

interface Place {
  readonly connection: WebRtcConnection;
  reason: string;
}

type Context = WorkerContext<RtcEngineNote, RtcWorkerNote, RtcWorkerSettings>;

/** The WebRTC process: handles the engine's messages and owns the port, sessions and mirrored streams. */
export class RtcWorker {
  readonly #context: Context;
  readonly #reports: ClientReports;
  readonly #places = new Map<number, Place>();
  #port: RtcPort | undefined;
  #sessions: RtcSessions | undefined;

  constructor(context: Context) {
    this.#context = context;
    this.#reports = new ClientReports((note) => context.link.tell(note), true);
  }

  onNote(note: RtcEngineNote): void {
    switch (note.type) {
      case 'listen':
        void this.#listen(note.listen);
        return;
      case 'reserve':
        this.#reserve(note.client, note.id, note.address);
        return;
      case 'publish':
      case 'play':
      case 'test':
        this.#begin(note);
        return;
      case 'end':
        this.#places.get(note.client)?.connection.close(note.reason);
        return;
      case 'quality':
        this.#places.get(note.client)?.connection.chooseQuality(note.quality);
        return;
      case 'keyframe':
        this.#sessions?.requestKeyframe(note.key);
    }
  }

  async close(): Promise<void> {
    this.#sessions?.close();
    this.#port?.close();
    this.#reports.close();
  }

  async #listen(listen: Listen): Promise<void> {
    const { settings, link, log } = this.#context;
    try {
      const port = await openRtcPort(listen, { kind: settings.transport, log });
      this.#port = port;
      this.#sessions = new RtcSessions(port, log, (key) => link.tell({ type: 'keyframe', key }));
      link.tell({ type: 'listening', port: port.port });
    } catch (error) {
      link.tell({ type: 'failed', reason: errorMessage(error) });
    }
  }

  #reserve(client: number, id: string, address: string): void {
    const connection = this.#sessions?.reserve(id, address, () => this.#closed(client));
    if (connection) this.#places.set(client, { connection, reason: 'closed' });
    this.#context.link.tell({ type: 'reserved', client, hasRoom: connection !== undefined });
  }

  /** Reports the end of a client with its counters, also when its session never began. */
  #closed(client: number): void {
    const reason = this.#places.get(client)?.reason ?? '';
    this.#places.delete(client);
    this.#reports.leave(client, reason);
  }

  #begin(note: BeginPublish | BeginPlay | BeginTest): void {
    const { client } = note;
    let facts: TransportFacts | undefined;
    try {
      if (note.type === 'test') facts = this.#test(note);
      else facts = note.type === 'publish' ? this.#publish(note) : this.#play(note);
    } catch (error) {
      this.#context.log.error({ err: error }, 'rtc session could not start');
    }
    this.#context.link.tell({ type: 'begun', client, ...(facts && { facts }) });
  }

  #publish({ client, peer, key, video, audio }: BeginPublish): TransportFacts | undefined {
    const place = this.#places.get(client);
    if (!place) return undefined;
    const publication = new RemotePublication(client, this.#context.link);
    return this.#sessions?.publish(place.connection, {
      ...this.#planOf(client, place, true),
      peer,
      key,
      publication,
      video,
      audio,
    });
  }

  #play({ client, peer, key, feed, video, audio, quality }: BeginPlay): TransportFacts | undefined {
    const place = this.#places.get(client);
    const view = this.#context.streams.get(feed);
    if (!place || !view) return undefined;
    const plan = { ...this.#planOf(client, place), peer, key, view, video, audio, quality };
    return this.#sessions?.play(place.connection, plan);
  }

  #test({ client, peer }: BeginTest): TransportFacts | undefined {
    const place = this.#places.get(client);
    return place && this.#sessions?.test(place.connection, peer);
  }

  #planOf(client: number, place: Place, isPublisher = false) {
    const counters = this.#reports.enter(client, () => place.connection.facts(), isPublisher);
    const onEnd = (reason: string) => {
      place.reason = reason;
    };
    return { counters, onEnd };
  }
}
