import { type TalkMessage, type TalkProblem, talkApi } from '@weir/contract';

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

type Body = Readonly<Record<string, unknown>>;

/** Fake of the guests' API: conversations, listeners and failures. */
export class FakeRoom {
  token = 'token-1';
  /** Refusal for every guest that joins. */
  refusal: { status: number; message: string } | undefined;
  /** Handler of uploads; default: repeats the text as message and answer. */
  onUpload: ((body: Body) => Answer | Promise<Answer>) | undefined;
  isPending = false;
  /** Guests correct the recognized text before it is sent. */
  isEdited = false;
  /** Handler of recognition without sending. */
  onHear: (body: Body) => Answer | Promise<Answer> = () => good({ text: 'heard', isFinal: true, canLook: false });
  /** Finished rounds with their problem; empty = answered. */
  readonly over = new Map<string, TalkProblem | ''>();
  readonly asked: { readonly path: string; readonly body: Body }[] = [];
  readonly users = new Map<string, string>();
  #sid = '';
  #listeners = new Map<string, TalkMessage[]>();
  /** Messages of the current conversation. */
  #said: TalkMessage[] = [];
  #heard = new Set<string>();
  #count = 0;

  readonly fetch: typeof fetch = async (url, init) => {
    const body: Body = JSON.parse(String(init?.body ?? '{}'));
    const { status = 200, body: answer } = await this.answer(String(url), body);
    init?.signal?.throwIfAborted();
    return new Response(JSON.stringify(answer), { status });
  };

  calls(endpoint: { readonly path: string }): Body[] {
    return this.asked.filter(({ path }) => path === endpoint.path).map(({ body }) => body);
  }

  /** Loses everything in memory. */
  restart(): void {
    this.#sid = '';
    this.#said = [];
    this.#listeners.clear();
    this.users.clear();
    this.over.clear();
  }

  /** Drops listeners as after a long silence. */
  forgetListeners(): void {
    this.#listeners.clear();
  }

  tell(message: Partial<TalkMessage>): void {
    const whole = {
      mid: this.#next('mid'),
      rid: 'rid',
      role: 'assistant' as const,
      username: '',
      msg: '',
      asid: '',
      hasAudio: false,
      at: new Date().toISOString(),
      ...message,
    };
    this.#said.push(whole);
    for (const messages of this.#listeners.values()) messages.push(whole);
  }

  answer(path: string, body: Body): Answer | Promise<Answer> {
    this.asked.push({ path, body });
    if (body.roomToken !== this.token) return refused(401, 'invalid room token');
    if (path === talkApi.verify.path) return this.refusal ? this.#refuse(this.refusal) : good(null);
    if (path === talkApi.start.path) return this.#start();
    if (path === talkApi.subscribe.path) return this.#subscribe(body);
    if (body.sid !== this.#sid) return refused(404, 'invalid sid: it has ended', 'ended');
    switch (path) {
      case talkApi.messages.path:
        return this.#messages(body);
      case talkApi.user.path:
        return good({ userId: body.userId, language: 'de', voice: 'hello-english.aac' });
      case talkApi.updateUser.path:
        return this.#rename(body);
      case talkApi.conversation.path:
        return good({ rid: this.#next('rid') });
      case talkApi.query.path:
        return good(this.#round(String(body.rid)));
      case talkApi.hear.path:
        return this.onHear(body);
      case talkApi.upload.path:
        return this.#upload(body);
      default:
        return refused(404, 'no such path');
    }
  }

  #start(): Answer {
    if (this.refusal) return this.#refuse(this.refusal);
    this.#sid ||= this.#next('sid');
    const userId = this.#next('user');
    this.users.set(userId, '');
    return good({
      sid: this.#sid,
      roomToken: this.token,
      userId,
      userSecret: `of ${userId}`,
      aiAsrEnabled: true,
      aiAsrEdit: this.isEdited,
      title: 'Evening show',
    });
  }

  #subscribe({ history }: Body): Answer {
    if (this.#sid === '') return refused(404, 'no stage in room');
    const spid = this.#next('spid');
    this.#listeners.set(spid, history ? [...this.#said] : []);
    return good({ sid: this.#sid, spid, voice: 'hello-english.aac' });
  }

  #messages({ spid, after }: Body): Answer {
    const messages = this.#listeners.get(String(spid));
    if (!messages) return refused(404, 'invalid spid');
    const known = messages.findIndex(({ mid }) => mid === after);
    return good({ msgs: messages.slice(known + 1), pending: this.isPending });
  }

  #rename({ userId, userSecret, name }: Body): Answer {
    if (!this.users.has(String(userId)) || userSecret !== `of ${userId}`) return refused(404, 'invalid user');
    this.users.set(String(userId), String(name));
    return good({ userId, username: name, voice: 'hello-english.aac' });
  }

  #upload(body: Body): Answer | Promise<Answer> {
    const rid = String(body.rid);
    if (!this.users.has(String(body.userId))) return refused(404, 'invalid user');
    if (this.onUpload) return this.onUpload(body);
    // A repeated upload in the same round counts once.
    if (this.#heard.has(rid)) return good({ rid, asr: '' });
    this.#heard.add(rid);
    const username = this.users.get(String(body.userId)) ?? '';
    const msg = String(body.text || 'heard');
    this.tell({ rid, role: 'user', username, msg });
    this.tell({ rid, msg: `You said: ${msg}` });
    this.over.set(rid, '');
    return good({ rid, asr: msg });
  }

  #round(rid: string) {
    const kind = this.over.get(rid);
    const why = kind ? { kind, fact: 'deadbeef' } : null;
    return { finished: kind !== undefined, message: kind ?? '', why, again: why !== null };
  }

  #refuse({ status, message }: { status: number; message: string }): Answer {
    return refused(status, message);
  }

  #next(what: string): string {
    this.#count += 1;
    return `${what}-${this.#count}`;
  }
}

export function good(data: unknown): Answer {
  return { body: { code: 0, data, server: 1 } };
}

export function refused(status: number, message: string, kind?: TalkProblem): Answer {
  return { status, body: { code: 1, data: { message, ...(kind && { why: { kind, fact: 'deadbeef' } }) } } };
}
