import type { HlsSettings } from '@weir/engine-api';
import type { StreamPlace } from '@weir/streams';
import type { Exchange } from '../../http/exchange.ts';
import { busy, notPublished, refusedFailure } from '../../http/failures.ts';
import type { ClientInfo } from '../../hub/clients/client-info.ts';
import { Clients } from '../../hub/clients/clients.ts';
import { Refused } from '../../hub/clients/gate.ts';
import { recognise } from '../../hub/clients/own-clients.ts';
import type { HlsClock } from '../../packagers/hls/hls-clock.ts';
import { preparedPlaylist } from '../../packagers/hls/prepared-pieces.ts';
import { siteOf } from '../site-of.ts';
import type { EdgeToken } from './edge-token.ts';
import type { HlsAccess } from './hls-access.ts';
import { parseHlsContext } from './hls-request.ts';
import { type HlsViewer, HlsViewers } from './viewers/hls-viewers.ts';

export interface DoorOptions {
  readonly viewers: HlsViewers;
  readonly settings: () => HlsSettings;
  readonly clock: HlsClock;
  /** Token of our own programs. */
  readonly ownToken: string;
  readonly edges: EdgeToken;
  readonly access: HlsAccess;
}

/** Request for a playlist of a stream. */
interface Wish {
  readonly place: StreamPlace;
  /** Key of the stream. */
  readonly key: string;
  readonly query: string;
  /** False for what players ask for only after they have a session. */
  readonly mayBegin?: boolean;
}

/** Answers, by who asks. */
interface Ways {
  /** A cache, for all who ask it. */
  readonly edge: (isProtected: boolean) => void;
  /** A player whose session begins. */
  readonly first: (id: string) => void;
  readonly next: (viewer: HlsViewer) => void;
  /** Anybody: there are no sessions. */
  readonly open: () => void;
}

/** Longest query of a viewer, which is kept with the viewer and with notices about it. Tokens for protected streams may be longer. */
const longestParam = 1024;
const longestProtectedParam = 3072;
export const gone = refusedFailure({ message: 'this session was ended' });
const refusedByEdge = refusedFailure({ message: 'this stream cannot be watched without permission' });
const uncheckedEdge = refusedFailure({
  message: 'this edge does not check who may watch, update its configuration to deliver protected streams',
});
const unknownEdge = refusedFailure({ message: 'the edge token does not match the one on this server' });
/** Name that no stream can have, by which the console checks that an edge reaches this server with the right token. */
const edgeCheckKey = 'weir-edge';
const edgeCheck = preparedPlaylist(Buffer.from('#EXTM3U\n'), 'no-store');
const noStore = ['Cache-Control', 'no-store'];
const nothing = Buffer.alloc(0);

/** Decides who may read a playlist: edges, and players with their sessions. */
export class PlaylistDoor {
  readonly #options: DoorOptions;

  constructor(options: DoorOptions) {
    this.#options = options;
  }

  /** For a playlist of no stream. */
  refuseUnknown(exchange: Exchange, key: string): void {
    const { access, edges } = this.#options;
    const caller = edges.read(exchange);
    if (caller === 'stranger') exchange.fail(unknownEdge);
    else if (caller === 'edge' && key === edgeCheckKey && !access.isEdgeQuestion(exchange))
      exchange.answerPrepared(edgeCheck);
    // An open stream needs no check: the edge learns that when it requests the playlist.
    else if (access.isEdgeQuestion(exchange)) exchange.answer(204, noStore, nothing);
    else exchange.fail(notPublished);
  }

  enter(exchange: Exchange, wish: Wish, ways: Ways): void {
    const { access, edges, settings } = this.#options;
    const caller = edges.read(exchange);
    const isProtected = access.isProtected(wish.place);
    if (caller === 'stranger') exchange.fail(unknownEdge);
    else if (access.isEdgeQuestion(exchange)) this.#answerEdge(exchange, wish);
    // A list of variants is the same for all viewers of an edge and could not carry their tokens on, so they get the playlist itself.
    else if (caller === 'edge' && isProtected && !access.isCheckingEdge(exchange)) exchange.fail(uncheckedEdge);
    else if (caller === 'edge') ways.edge(isProtected);
    // Requests without a session cannot be counted or ended.
    else if (isProtected || !settings().noHlsCtx) this.#enterSession(exchange, wish, ways);
    else ways.open();
  }

  #answerEdge(exchange: Exchange, { place, query }: Wish): void {
    const isAllowed = this.#options.access.mayViewerOfEdge(exchange, place, query);
    if (isAllowed) exchange.answer(204, noStore, nothing);
    else exchange.fail(refusedByEdge);
  }

  #enterSession(exchange: Exchange, wish: Wish, { first, next }: Ways): void {
    const { viewers } = this.#options;
    const id = parseHlsContext(wish.query);
    if (id === undefined && wish.mayBegin === false) {
      exchange.fail(notPublished);
      return;
    }
    if (id === undefined) {
      const newId = Clients.newId();
      this.#admit(exchange, wish, newId, () => first(newId));
      return;
    }
    const viewer = viewers.see(id);
    if (viewer && !this.#options.access.mayGoOn(viewer.entry.info, exchange)) exchange.fail(gone);
    else if (viewer?.key === wish.key) next(viewer);
    else if (viewer || !HlsViewers.isId(id)) exchange.fail(notPublished);
    else if (viewers.isKicked(id)) exchange.fail(gone);
    // Given out before the engine restarted, or silent for a while: the player goes on and does not notice.
    else this.#admit(exchange, wish, id, (admitted) => next(viewers.see(id) ?? admitted));
  }

  #admit(exchange: Exchange, { place, query }: Wish, id: string, onAdmitted: (viewer: HlsViewer) => void): void {
    const { viewers } = this.#options;
    const longest = this.#options.access.isProtected(place) ? longestProtectedParam : longestParam;
    const info: ClientInfo = {
      id,
      kind: 'hls-play',
      address: exchange.address,
      place,
      param: query === '' ? '' : `?${query}`.slice(0, longest),
      tcUrl: '',
      pageUrl: (exchange.header('referer') ?? '').slice(0, 512),
      site: siteOf(exchange),
      connectedAt: new Date(this.#options.clock.dateMs()),
    };
    viewers
      .admit(recognise(info, this.#options.ownToken))
      .then(onAdmitted, (error: unknown) => {
        exchange.fail(error instanceof Refused ? refusedFailure(error) : busy);
      })
      // A fault in one answer must not end the process.
      .catch(() => exchange.destroy());
  }
}
