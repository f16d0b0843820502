import { blankTalk, type TalkState } from './talk-state.ts';

const version = 1;
const mostEntries = 200;
/** Recordings that wait are kept, too, as far as the browser's store surely takes them. */
const mostCharacters = 2_000_000;

type Kept = Pick<TalkState, (typeof keptFields)[number]>;
const keptFields = [
  ...(['seat', 'last', 'after', 'name', 'language', 'isNamed'] as const),
  ...(['entries', 'outbox', 'mine', 'problems'] as const),
] as const;

/** What a reload of the page must not lose. It stays in this tab: the secret of a user is in it. */
export class KeptTalk {
  readonly #key: string;
  readonly #token: string;
  #written: Kept | undefined;

  constructor({ room, roomToken, mode }: { room: string; roomToken: string; mode: string }) {
    this.#key = `WEIR_TALK_${mode}_${room}`;
    this.#token = roomToken;
  }

  read(): TalkState {
    try {
      const { version: of, token, kept } = JSON.parse(sessionStorage.getItem(this.#key) ?? '{}');
      if (of !== version || token !== this.#token) return blankTalk;
      const state: TalkState = { ...blankTalk, ...kept };
      const outbox = state.outbox.map((item) =>
        item.state === 'sending' ? ({ ...item, state: 'queued', isUnsure: item.rid !== '' } as const) : item,
      );
      const isLive = state.seat && (state.isNamed || state.seat.userId === '');
      return { ...state, outbox, phase: isLive ? 'live' : 'starting', seat: isLive ? state.seat : undefined };
    } catch {
      // Written by something else, or storage is switched off.
      return blankTalk;
    }
  }

  write(state: TalkState): void {
    if (keptFields.every((field) => this.#written?.[field] === state[field])) return;
    this.#written = state;
    const { seat, last, after, name, language, isNamed, mine, problems } = state;
    const entries = state.entries.slice(-mostEntries);
    let left = mostCharacters;
    const outbox = state.outbox.filter(({ audio, text }) => {
      left -= audio.length + text.length;
      return left >= 0;
    });
    const kept: Kept = { seat, last, after, name, language, isNamed, entries, outbox, mine, problems };
    try {
      sessionStorage.setItem(this.#key, JSON.stringify({ version, token: this.#token, kept }));
    } catch {
      // Full or switched off: the page works until it is closed.
    }
  }

  forget(): void {
    try {
      sessionStorage.removeItem(this.#key);
    } catch {
      // Nothing was kept.
    }
  }
}
