import { TalkMessage, TalkProblem } from '@weir/contract';
import * as z from 'zod';
import { talkError } from '../talk-error.ts';
import { History } from './history.ts';
import { MessageLog } from './message-log.ts';
import { Stage } from './stage.ts';
import { Subscriber } from './subscriber.ts';
import { TalkUser } from './talk-user.ts';

const mostRounds = 50;
/** Limit of stored messages; older ones were delivered long ago. */
const mostCharacters = 64 * 1024;

const Asked = z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }));

/** A conversation as it is kept over a restart: all but the audio. */
export const StageRecord = z.object({
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

export function toStageRecord(stage: Stage): StageRecord {
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
export function restoreStage(record: StageRecord, nowMs: number): Stage {
  const { sid, roomId, roomToken, messages } = record;
  const silent = messages.map((message) => ({ ...message, asid: '', hasAudio: false }));
  const log = new MessageLog(silent, record.next - silent.length);
  const parts = { log, chat: new History(record.chat), post: new History(record.post) };
  const stage = new Stage({ sid, roomId, roomToken, ...parts }, nowMs);
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
    return characters > mostCharacters;
  });
  return messages.slice(from + 1);
}
