import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { helloVoices, type Room, TalkMessage, TalkProblem } from '@weir/contract';
import type { Log } from '@weir/plane';
import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import { Mutex } from '../../core/mutex.ts';
import { Conversation } from './conversation.ts';
import { type Conversations, idleMs } from './conversations.ts';
import { History } from './history.ts';
import { MessageLog, Subscriber } from './message-log.ts';
import { talkError } from './talk-access.ts';
import { TalkUser } from './talk-user.ts';

const mostRounds = 50;
/** Limit of stored messages; older ones were delivered long ago. */
const mostMessageCharacters = 64 * 1024;

const Asked = z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }));

/** Stored form of a conversation: everything except audio. */
const ConversationRecord = z.object({
  sid: z.string(),
  roomId: z.string(),
  roomToken: z.string(),
  users: z.array(
    z.object({
      userId: z.string(),
      secret: z.string(),
      address: z.string(),
      name: z.string(),
      language: z.string(),
      previousText: z.string(),
      dictation: z.array(z.string()),
    }),
  ),
  subscribers: z.array(
    z.object({ spid: z.string(), address: z.string(), since: z.int(), hears: z.int().default(0), told: z.int() }),
  ),
  /** Number of the next message. */
  next: z.int(),
  messages: z.array(TalkMessage),
  rounds: z.array(
    z.object({
      rid: z.string(),
      userId: z.string(),
      asr: z.string().default(''),
      question: z.string(),
      isFinished: z.boolean(),
      problem: z.object({ message: z.string(), kind: TalkProblem, fact: z.string() }).optional(),
    }),
  ),
  chat: Asked,
  post: Asked,
});
type ConversationRecord = z.infer<typeof ConversationRecord>;

function toConversationRecord(conversation: Conversation): ConversationRecord {
  const { sid, roomId, roomToken, log, chat, post } = conversation;
  return {
    sid,
    roomId,
    roomToken,
    users: [...conversation.users.values()].map(
      ({ userId, secret, address, name, language, previousText, dictation }) => ({
        userId,
        secret,
        address,
        name,
        language,
        previousText,
        dictation: [...dictation.texts],
      }),
    ),
    subscribers: [...conversation.subscribers.values()].map(({ facts }) => facts),
    next: log.next,
    messages: newest(log.from(0)),
    rounds: [...conversation.rounds.values()].slice(-mostRounds),
    chat: [...chat.messages],
    post: [...post.messages],
  };
}

/** Restores a conversation without its audio; unanswered questions can be asked again. */
function restoreConversation(record: ConversationRecord, nowMs: number): Conversation {
  const { sid, roomId, roomToken, messages } = record;
  const silent = messages.map((message) => ({ ...message, asid: '', hasAudio: false }));
  const log = new MessageLog(silent, record.next - silent.length);
  const parts = { log, chat: new History(record.chat), post: new History(record.post) };
  const conversation = new Conversation({ sid, roomId, roomToken, ...parts }, nowMs);
  for (const { dictation, ...facts } of record.users)
    conversation.users.set(facts.userId, new TalkUser(facts, nowMs, dictation));
  for (const facts of record.subscribers) conversation.subscribers.set(facts.spid, new Subscriber(facts, log, nowMs));
  const { message } = talkError('restarted');
  for (const round of record.rounds) {
    // A round without a user was only reserved; its client may still use it.
    const isCut = !round.isFinished && round.userId !== '';
    const cut = { isFinished: true, problem: { message, kind: 'restarted', fact: '' } } as const;
    conversation.rounds.set(round.rid, isCut ? { ...round, ...cut } : round);
  }
  return conversation;
}

function newest(messages: readonly TalkMessage[]): TalkMessage[] {
  let characters = 0;
  const from = messages.findLastIndex(({ msg }) => {
    characters += msg.length + 300;
    return characters > mostMessageCharacters;
  });
  return messages.slice(from + 1);
}

/** Interval of writes without changes, so that the age of a quiet conversation is known. */
const againMs = 60_000;
/** Limit of a stored conversation, many times an ordinary one. Larger ones are not saved; the previous file stays. */
const mostCharacters = 1024 * 1024;
const Saved = z.object({ savedAtMs: z.number(), stage: ConversationRecord });

interface Context {
  readonly directory: string;
  readonly conversations: Conversations;
  readonly clock: Clock;
  readonly log: Log;
  readonly rooms: { get(uuid: string): Promise<Room> };
}

/** Saves conversations so that they survive a restart: accepted messages at once, other changes within a second. Files keep them out of settings backups. */
export class ConversationFiles {
  readonly #context: Context;
  /** Serialises writes per conversation. */
  readonly #turns = new Mutex();
  readonly #written = new Map<string, { readonly changes: number; readonly savedAtMs: number }>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Restores saved conversations, and removes temporary files of a killed process. */
  async load(): Promise<void> {
    const { directory, conversations, clock, log } = this.#context;
    for (const name of await readdir(directory).catch(() => [])) {
      if (helloVoices.some((voice) => voice === name)) continue;
      const conversation = name.endsWith('.stage') ? await this.#read(name).catch(() => undefined) : undefined;
      if (conversation) {
        conversations.add(restoreConversation(conversation, clock.elapsedMs()));
        this.#written.set(name, { changes: -1, savedAtMs: 0 });
        log.info({ room: conversation.roomId, users: conversation.users.length }, 'conversation resumed');
      } else await rm(join(directory, name), { recursive: true, force: true });
    }
  }

  /** Writes changed conversations and removes files of ended ones. */
  async save(): Promise<void> {
    const { directory, conversations, clock } = this.#context;
    const savedAtMs = clock.dateMs();
    const current = new Map<string, Conversation>(
      [...conversations.all()].map((conversation) => [nameOf(conversation), conversation]),
    );
    for (const [name, conversation] of current) {
      const known = this.#written.get(name);
      if (known?.changes === conversation.changes && savedAtMs - known.savedAtMs < againMs) continue;
      await this.#write(conversation);
    }
    for (const name of this.#written.keys()) {
      if (current.has(name)) continue;
      await rm(join(directory, name), { force: true });
      this.#written.delete(name);
    }
  }

  /** Saves before a message is confirmed. A write error does not end the conversation: `save` reports it. */
  async keep(conversation: Conversation): Promise<void> {
    const isWritten = () => this.#written.get(nameOf(conversation))?.changes === conversation.changes;
    if (!isWritten()) await this.#write(conversation, isWritten).catch(() => undefined);
  }

  /** Writes one conversation at a time. Skips the write if an earlier one made it unnecessary. */
  async #write(conversation: Conversation, isDone = () => false): Promise<void> {
    const { directory, clock } = this.#context;
    const name = nameOf(conversation);
    await this.#turns.take(async () => {
      const { changes } = conversation;
      if (isDone() || conversation.end.signal.aborted) return;
      const text = JSON.stringify(toConversationRecord(conversation));
      if (text.length > mostCharacters) return;
      const savedAtMs = clock.dateMs();
      await mkdir(directory, { recursive: true });
      const part = join(directory, `${name}.part`);
      // The file contains secrets of guests.
      await writeFile(part, `{"savedAtMs":${savedAtMs},"stage":${text}}`, { mode: 0o600 });
      await rename(part, join(directory, name));
      this.#written.set(name, { changes, savedAtMs });
    }, name);
  }

  /** Returns undefined if the room is closed or the conversation too old. */
  async #read(name: string): Promise<z.infer<typeof ConversationRecord> | undefined> {
    const { directory, clock, rooms } = this.#context;
    const { savedAtMs, stage: conversation } = Saved.parse(JSON.parse(await readFile(join(directory, name), 'utf8')));
    const room = await rooms.get(conversation.roomId);
    const isOpen = room.assistant && room.roomToken === conversation.roomToken && name === `${conversation.sid}.stage`;
    return isOpen && clock.dateMs() - savedAtMs < idleMs ? conversation : undefined;
  }
}

function nameOf({ sid }: Conversation): string {
  return `${sid}.stage`;
}
