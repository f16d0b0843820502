import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { helloVoices, type Room, TalkMessage, TalkProblem } from '@weir/contract';
import type { Log } from '@weir/plane';
import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import { Mutex } from '../../core/mutex.ts';
import { Conversation } from './conversation.ts';
import { type Conversations, stageMs } from './conversations.ts';
import { History } from './history.ts';
import { MessageLog, Subscriber } from './message-log.ts';
import { talkError } from './talk-access.ts';
import { TalkUser } from './talk-user.ts';

const mostRounds = 50;
/** Limit of stored messages; older ones were delivered long ago. */
const stageRecordMostCharacters = 64 * 1024;

const Asked = z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }));

/** A conversation as it is kept over a restart: all but the audio. */
const StageRecord = z.object({
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
  /** Number of the message after the last. */
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
type StageRecord = z.infer<typeof StageRecord>;

function toStageRecord(stage: Conversation): StageRecord {
  const { sid, roomId, roomToken, log, chat, post } = stage;
  return {
    sid,
    roomId,
    roomToken,
    users: [...stage.users.values()].map(({ userId, secret, address, name, language, previousText, dictation }) => ({
      userId,
      secret,
      address,
      name,
      language,
      previousText,
      dictation: [...dictation.texts],
    })),
    subscribers: [...stage.subscribers.values()].map(({ facts }) => facts),
    next: log.next,
    messages: newest(log.from(0)),
    rounds: [...stage.rounds.values()].slice(-mostRounds),
    chat: [...chat.messages],
    post: [...post.messages],
  };
}

/** Restores a conversation without its audio; unanswered questions can be asked again. */
function restoreStage(record: StageRecord, nowMs: number): Conversation {
  const { sid, roomId, roomToken, messages } = record;
  const silent = messages.map((message) => ({ ...message, asid: '', hasAudio: false }));
  const log = new MessageLog(silent, record.next - silent.length);
  const parts = { log, chat: new History(record.chat), post: new History(record.post) };
  const stage = new Conversation({ sid, roomId, roomToken, ...parts }, nowMs);
  for (const { dictation, ...facts } of record.users)
    stage.users.set(facts.userId, new TalkUser(facts, nowMs, dictation));
  for (const facts of record.subscribers) stage.subscribers.set(facts.spid, new Subscriber(facts, log, nowMs));
  const { message } = talkError('restarted');
  for (const round of record.rounds) {
    // Not begun: whoever has it may still use it.
    const isCut = !round.isFinished && round.userId !== '';
    const cut = { isFinished: true, problem: { message, kind: 'restarted', fact: '' } } as const;
    stage.rounds.set(round.rid, isCut ? { ...round, ...cut } : round);
  }
  return stage;
}

function newest(messages: readonly TalkMessage[]): TalkMessage[] {
  let characters = 0;
  const from = messages.findLastIndex(({ msg }) => {
    characters += msg.length + 300;
    return characters > stageRecordMostCharacters;
  });
  return messages.slice(from + 1);
}

/** Interval of writes without changes, so that the age of a quiet conversation is known. */
const againMs = 60_000;
/** Many times what people say; whoever makes more of it finds the file as it was before. */
const mostCharacters = 1024 * 1024;
const Saved = z.object({ savedAtMs: z.number(), stage: StageRecord });

interface Context {
  readonly directory: string;
  readonly stages: Conversations;
  readonly clock: Clock;
  readonly log: Log;
  readonly rooms: { get(uuid: string): Promise<Room> };
}

/** Conversations on the disk, so that a restart interrupts nobody: what was accepted at once, the rest a moment behind. In files: they are no settings, and in no backup. */
export class ConversationFiles {
  readonly #context: Context;
  /** Serialises writes per conversation. */
  readonly #turns = new Mutex();
  readonly #written = new Map<string, { readonly changes: number; readonly savedAtMs: number }>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Opens what went on, and removes what a killed process left. */
  async load(): Promise<void> {
    const { directory, stages, clock, log } = this.#context;
    for (const name of await readdir(directory).catch(() => [])) {
      if (helloVoices.some((voice) => voice === name)) continue;
      const stage = name.endsWith('.stage') ? await this.#read(name).catch(() => undefined) : undefined;
      if (stage) {
        stages.add(restoreStage(stage, clock.elapsedMs()));
        this.#written.set(name, { changes: -1, savedAtMs: 0 });
        log.info({ room: stage.roomId, users: stage.users.length }, 'conversation resumed');
      } else await rm(join(directory, name), { recursive: true, force: true });
    }
  }

  /** Writes what changed, and removes what is over. */
  async save(): Promise<void> {
    const { directory, stages, clock } = this.#context;
    const savedAtMs = clock.dateMs();
    const current = new Map<string, Conversation>([...stages.all()].map((stage) => [nameOf(stage), stage]));
    for (const [name, stage] of current) {
      const known = this.#written.get(name);
      if (known?.changes === stage.changes && savedAtMs - known.savedAtMs < againMs) continue;
      await this.#write(stage);
    }
    for (const name of this.#written.keys()) {
      if (current.has(name)) continue;
      await rm(join(directory, name), { force: true });
      this.#written.delete(name);
    }
  }

  /** Before it is said that something was accepted. A disk that cannot be written ends no conversation: `save` reports it. */
  async keep(stage: Conversation): Promise<void> {
    const isWritten = () => this.#written.get(nameOf(stage))?.changes === stage.changes;
    if (!isWritten()) await this.#write(stage, isWritten).catch(() => undefined);
  }

  /** Writes one conversation at a time; a waiting call may find its work done. */
  async #write(stage: Conversation, isDone = () => false): Promise<void> {
    const { directory, clock } = this.#context;
    const name = nameOf(stage);
    await this.#turns.take(async () => {
      const { changes } = stage;
      if (isDone() || stage.end.signal.aborted) return;
      const text = JSON.stringify(toStageRecord(stage));
      if (text.length > mostCharacters) return;
      const savedAtMs = clock.dateMs();
      await mkdir(directory, { recursive: true });
      const part = join(directory, `${name}.part`);
      // Secrets of guests are in it.
      await writeFile(part, `{"savedAtMs":${savedAtMs},"stage":${text}}`, { mode: 0o600 });
      await rename(part, join(directory, name));
      this.#written.set(name, { changes, savedAtMs });
    }, name);
  }

  /** Undefined where nobody may go on with it. */
  async #read(name: string): Promise<z.infer<typeof StageRecord> | undefined> {
    const { directory, clock, rooms } = this.#context;
    const { savedAtMs, stage } = Saved.parse(JSON.parse(await readFile(join(directory, name), 'utf8')));
    const room = await rooms.get(stage.roomId);
    const isOpen = room.assistant && room.roomToken === stage.roomToken && name === `${stage.sid}.stage`;
    return isOpen && clock.dateMs() - savedAtMs < stageMs ? stage : undefined;
  }
}

function nameOf({ sid }: Conversation): string {
  return `${sid}.stage`;
}
