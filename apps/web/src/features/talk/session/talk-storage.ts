import { blankTalk, type TalkState } from './talk-state.ts';

const version = 2;
const mostEntries = 200;
/** Limit for waiting recordings, safely below the browser's storage quota. */
const mostCharacters = 2_000_000;

type StoredTalk = Pick<TalkState, (typeof storedFields)[number]>;
const storedFields = [
  ...(['seat', 'last', 'after', 'name', 'language', 'isNamed'] as const),
  ...(['entries', 'outbox', 'mine', 'problems'] as const),
] as const;

/** State that survives a reload. Kept in session storage, because it contains the user's secret. */
export class TalkStorage {
  readonly #key: string;
  readonly #token: string;
  #written: StoredTalk | undefined;
  #draft: string | undefined;

  constructor({ room, roomToken, mode }: { room: string; roomToken: string; mode: string }) {
    this.#key = `WEIR_TALK_${mode}_${room}`;
    this.#token = roomToken;
  }

  read(): TalkState {
    try {
      const { version: of, token, kept } = JSON.parse(sessionStorage.getItem(this.#key) ?? '{}');
      if (of !== version || token !== this.#token) return blankTalk;
      const state: TalkState = { ...blankTalk, ...kept };
      const draft = sessionStorage.getItem(this.#draftKey) ?? '';
      const outbox = state.outbox.map((item) => ({
        ...item,
        ...(item.state === 'sending' && ({ state: 'queued', isUnsure: item.rid !== '' } as const)),
      }));
      const isLive = state.seat && (state.isNamed || state.seat.userId === '');
      return { ...state, outbox, draft, phase: isLive ? 'live' : 'starting', seat: isLive ? state.seat : undefined };
    } catch {
      // Foreign data, or storage is disabled.
      return blankTalk;
    }
  }

  write(state: TalkState): void {
    this.#writeDraft(state.draft);
    if (storedFields.every((field) => this.#written?.[field] === state[field])) return;
    this.#written = state;
    const { seat, last, after, name, language, isNamed, mine, problems } = state;
    const entries = state.entries.slice(-mostEntries);
    let left = mostCharacters;
    const outbox = state.outbox.filter(({ audio, text }) => {
      left -= audio.length + text.length;
      return left >= 0;
    });
    const kept: StoredTalk = { seat, last, after, name, language, isNamed, entries, outbox, mine, problems };
    try {
      sessionStorage.setItem(this.#key, JSON.stringify({ version, token: this.#token, kept }));
    } catch {
      // Full or disabled: the page works until it is closed.
    }
  }

  clear(): void {
    try {
      sessionStorage.removeItem(this.#key);
      sessionStorage.removeItem(this.#draftKey);
    } catch {
      // Storage is disabled, so there is nothing to clear.
    }
  }

  /** Stored separately, because it changes with every key. */
  #writeDraft(draft: string): void {
    if (draft === this.#draft) return;
    this.#draft = draft;
    try {
      if (draft === '') sessionStorage.removeItem(this.#draftKey);
      else sessionStorage.setItem(this.#draftKey, draft);
    } catch {
      // Full or disabled, as above.
    }
  }

  get #draftKey(): string {
    return `${this.#key}_draft`;
  }
}
