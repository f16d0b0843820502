import type { PlayerHandle } from './stage/watch-player.tsx';

/** Version of the messages; documented in docs/features/watch.md. */
const version = 1;

type Command = 'listen' | 'play' | 'pause' | 'mute' | 'unmute' | 'volume';
const commands: readonly Command[] = ['listen', 'play', 'pause', 'mute', 'unmute', 'volume'];

/** State that the embedding page gets. It contains no token, and of the stream only what everybody can see. */
export interface EmbedState {
  readonly state: 'idle' | 'loading' | 'playing' | 'paused' | 'stalled' | 'waiting' | 'ended' | 'failed' | 'off';
  readonly live: boolean;
  readonly muted: boolean;
  readonly volume: number;
}

/** Parses a command of the embedding page; undefined for other messages. */
export function parseCommand(data: unknown): { readonly type: Command; readonly value: number } | undefined {
  if (typeof data !== 'object' || data === null || !('weir' in data) || data.weir !== version) return undefined;
  const type = 'type' in data ? commands.find((one) => one === data.type) : undefined;
  if (type === undefined) return undefined;
  const value = 'value' in data ? data.value : undefined;
  if (type === 'volume' && !(typeof value === 'number' && value >= 0 && value <= 1)) return undefined;
  return { type, value: typeof value === 'number' ? value : 0 };
}

/** True for pages of the named sites, or for all pages if no site is named. */
export function isAllowedOrigin(origin: string, sites: readonly string[]): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, host } = new URL(origin);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  if (sites.length === 0 || host === window.location.host) return true;
  return sites.some((site) => (site.startsWith('*.') ? hostname.endsWith(site.slice(1)) : hostname === site));
}

/** Lets the embedding page control the player, and sends its state to that page alone. */
export class EmbedMessages {
  readonly #sites: readonly string[];
  #handle: PlayerHandle | undefined;
  /** Origin of the page that asked for the state; empty before. */
  #origin = '';
  #told = '';
  #state: EmbedState = { state: 'idle', live: false, muted: true, volume: 1 };

  constructor(sites: readonly string[]) {
    this.#sites = sites;
    window.addEventListener('message', (event) => this.#onMessage(event));
  }

  /** Present player. */
  set handle(handle: PlayerHandle | undefined) {
    this.#handle = handle;
  }

  tell(state: EmbedState): void {
    this.#state = state;
    const text = JSON.stringify(state);
    if (this.#origin === '' || text === this.#told) return;
    this.#told = text;
    window.parent.postMessage({ weir: version, type: 'state', ...state }, this.#origin);
  }

  #onMessage({ source, origin, data }: MessageEvent): void {
    if (source !== window.parent || window.parent === window || !isAllowedOrigin(origin, this.#sites)) return;
    const command = parseCommand(data);
    if (!command) return;
    if (command.type === 'listen') {
      this.#origin = origin;
      this.#told = '';
      this.tell(this.#state);
      return;
    }
    const handle = this.#handle;
    if (!handle) return;
    if (command.type === 'play') handle.play();
    if (command.type === 'pause') handle.pause();
    if (command.type === 'mute' || command.type === 'unmute') handle.setMuted(command.type === 'mute');
    if (command.type === 'volume') {
      handle.video.volume = command.value;
      handle.setMuted(command.value === 0);
    }
  }
}
