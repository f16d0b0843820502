import { talkLimits } from '@weir/contract';

type TalkMode = 'chat' | 'dictation' | 'transcript';

/** Room and mode of a guest's window. */
export interface TalkAddress {
  readonly room: string;
  readonly roomToken: string;
  readonly mode: TalkMode;
  /** Proposed by the link; may be empty. */
  readonly username: string;
  readonly language: string;
}

export type TalkAddressProblem = 'noApp' | 'noToken' | 'noRoom' | 'invalidApp';

type ParsedTalkAddress =
  | { readonly kind: 'talk'; readonly talk: TalkAddress }
  | { readonly kind: 'problem'; readonly problem: TalkAddressProblem; readonly app: string };

export function readTalkAddress(query: URLSearchParams): ParsedTalkAddress {
  const value = (name: string) => query.get(name)?.trim() ?? '';
  const app = value('app');
  const problem = (kind: TalkAddressProblem) => ({ kind: 'problem', problem: kind, app }) as const;
  if (app === '') return problem('noApp');
  if (app !== 'ai-talk') return problem('invalidApp');
  const roomToken = value('roomToken');
  if (roomToken === '') return problem('noToken');
  const room = value('room');
  if (room === '') return problem('noRoom');
  const talks = value('assistant') === '1';
  const mode = !talks ? 'transcript' : value('pattern') === 'dictation' ? 'dictation' : 'chat';
  return {
    kind: 'talk',
    talk: {
      room,
      roomToken,
      mode,
      username: value('username').slice(0, talkLimits.nameCharacters),
      language: value('language').slice(0, 16),
    },
  };
}

/** Link to a window that only listens to the same room. */
export function transcriptLink({ room, roomToken }: TalkAddress, now: Date): string {
  const query = new URLSearchParams({ app: 'ai-talk', popout: '1', assistant: '0', created: now.toISOString() });
  query.set('room', room);
  query.set('roomToken', roomToken);
  return `?${query}`;
}
