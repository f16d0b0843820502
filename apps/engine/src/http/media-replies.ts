import { mediaCors, openCors, readOrigin } from './cors.ts';
import { Reply } from './reply.ts';

/** Header of edges in every request, in Node's lower-case form. */
export const edgeHeader = 'x-weir-edge';
/** Limit of cached sites; further ones are only slower. */
const mostOrigins = 200;

/** Replies to requests for media, by the site whose page asks. */
export class MediaReplies {
  readonly #version: string;
  readonly #forEdges: Reply;
  readonly #forPlayers: Reply;
  readonly #byOrigin = new Map<string, Reply>();

  constructor(version: string) {
    this.#version = version;
    this.#forEdges = new Reply(version, openCors);
    this.#forPlayers = new Reply(version, mediaCors(undefined));
  }

  /** Shared caches get an answer that is valid for every site. */
  of(originText: string | undefined, edgeText: string | undefined): Reply {
    if (edgeText !== undefined) return this.#forEdges;
    if (originText === undefined) return this.#forPlayers;
    const known = this.#byOrigin.get(originText);
    if (known) return known;
    const origin = readOrigin(originText);
    if (origin === undefined) return this.#forPlayers;
    const reply = new Reply(this.#version, mediaCors(origin));
    if (this.#byOrigin.size >= mostOrigins) this.#byOrigin.clear();
    this.#byOrigin.set(origin, reply);
    return reply;
  }
}
