import { helloVoices, talkApi, talkPaths } from '@weir/contract';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../lib/api.ts';
import { conversationRows, type Turn } from './conversation-rows.ts';
import { TalkCalls } from './session/talk-calls.ts';
import { TalkSession } from './session/talk-session.ts';
import type { Entry, TalkState } from './session/talk-state.ts';
import { TalkStorage } from './session/talk-storage.ts';
import type { TalkAddress } from './talk-address.ts';
import { useTips } from './tips.tsx';
import { useCaptions } from './voice/captions.ts';
import { useVoice } from './voice/use-voice.ts';
import type { AudioSource, RecordedUtterance, VoicePlayback } from './voice/voice-types.ts';

const nothing = { text: '', audio: '', heard: '', caption: '', isDraft: false, milliseconds: 0 } as const;
/** Shorter presses are accidental. */
const shortestMs = 600;
/** Length of dictated pieces: longer ones are recognized better, but later. */
const dictationSeconds = 6;
const dictationMerge = 3;

/** State and actions of a guest's page. */
export function useConversation(talk: TalkAddress) {
  const { t } = useTranslation();
  const { room, roomToken, mode } = talk;
  const { session, state } = useTalkSession(talk);
  const tips = useTips();
  const { sid = '', spid = '' } = state.seat ?? {};
  const source = useMemo(
    () => (spid === '' ? undefined : roomAudio({ room, roomToken, sid, spid })),
    [room, roomToken, sid, spid],
  );
  const mergeMessages = mode === 'dictation' ? dictationMerge : 0;
  const isDraft = state.seat?.aiAsrEdit === true;
  const setDraft = (text: string) => session.store.dispatch({ type: 'typed', draft: text });
  const say = (said: Partial<Parameters<typeof session.sender.say>[0]>): boolean => {
    const isTaken = session.sender.say({ ...nothing, mergeMessages, ...said });
    if (!isTaken) tips.show({ tone: 'bad', text: t('talk.queueFull') });
    return isTaken;
  };
  const captions = useCaptions(session);
  const onUtterance = ({ audio, heldMs, hasVoice }: RecordedUtterance) => {
    const isByHand = mode === 'chat' && !microphone.isHandsFree;
    const { heard, caption } = captions.finish();
    if (heard === '' && isByHand && (!hasVoice || heldMs < shortestMs))
      tips.show({ tone: 'warn', text: t('talk.tooShort') });
    else if (hasVoice) say({ audio, heard, caption, isDraft, milliseconds: Math.round(heldMs) });
    else if (heard !== '' && isDraft) session.store.dispatch({ type: 'drafted', id: '', text: heard });
    else if (heard !== '') say({ text: heard });
  };
  const longestSeconds = mode === 'dictation' ? { longestSeconds: dictationSeconds } : {};
  const { microphone, playback } = useVoice({ source, onUtterance, onOpen: captions.request, ...longestSeconds });
  captions.markTranscribed.current = microphone.markTranscribed;
  const silent = useSpokenAnswers(state.entries, playback, mode !== 'dictation');
  const { entries, outbox, mine, problems, draft } = state;
  const rows = useMemo(() => conversationRows({ entries, outbox, mine, problems }), [entries, outbox, mine, problems]);
  const you = state.name || t('talk.you');
  const nameOf = ({ isAssistant, isMine, name }: Turn) =>
    name || (isAssistant ? t('talk.bot') : isMine ? you : t('talk.guest'));
  return {
    talk,
    session,
    state,
    tips,
    draft,
    setDraft,
    isDraft,
    say,
    microphone,
    playback,
    silent,
    rows,
    caption: captions.text,
    you,
    nameOf,
  };
}

export type Conversation = ReturnType<typeof useConversation>;

function useTalkSession({ room, roomToken, mode }: TalkAddress): { session: TalkSession; state: TalkState } {
  const session = useMemo(
    () =>
      new TalkSession({
        calls: new TalkCalls(client, { room, roomToken }),
        storage: new TalkStorage({ room, roomToken, mode }),
        isListener: mode === 'transcript',
      }),
    [room, roomToken, mode],
  );
  useEffect(() => {
    const updateVisibility = () => session.setVisible(document.visibilityState === 'visible');
    const wake = () => session.wake();
    session.open();
    updateVisibility();
    document.addEventListener('visibilitychange', updateVisibility);
    window.addEventListener('online', wake);
    return () => {
      document.removeEventListener('visibilitychange', updateVisibility);
      window.removeEventListener('online', wake);
      session.close();
    };
  }, [session]);
  return { session, state: useSyncExternalStore(session.store.subscribe, session.store.get) };
}

/** Plays new answers if `isOn`. Returns the audio that failed to play. */
function useSpokenAnswers(
  entries: readonly Entry[],
  { add }: Pick<VoicePlayback, 'add'>,
  isOn: boolean,
): ReadonlySet<string> {
  const [silent, setSilent] = useState<ReadonlySet<string>>(new Set());
  // Answers present at the first render were heard before.
  const known = useRef<Set<string>>(undefined);
  useEffect(() => {
    const spoken = entries.flatMap((entry) =>
      entry.kind === 'said' && entry.message.hasAudio && entry.message.asid !== '' ? [entry.message] : [],
    );
    const before = known.current;
    known.current = new Set(spoken.map(({ asid }) => asid));
    if (!before || !isOn) return;
    for (const { asid, rid } of spoken.filter((one) => !before.has(one.asid)))
      void add(asid, rid).then((played) => {
        if (played === 'failed') setSilent((others) => new Set([...others, asid]));
      });
  }, [entries, add, isOn]);
  return silent;
}

/** Listener as given by `stage/start` or the address, and by `subscribe/start`. */
interface Listener {
  readonly room: string;
  readonly roomToken: string;
  readonly sid: string;
  readonly spid: string;
}

/** Some minutes of speech: one sentence is far below. */
const mostBytes = 8 * 1024 * 1024;

/** Audio of a room. Greetings are addressed by the name of their voice. */
export function roomAudio(listener: Listener): AudioSource {
  const isGreeting = (asid: string) => helloVoices.some((voice) => voice === asid);
  return {
    load: (asid, signal) =>
      isGreeting(asid)
        ? load(`${talkPaths.helloVoices}/${asid}`, signal)
        : load(`${talkPaths.tts}?${new URLSearchParams({ ...listener, asid })}`, signal),
    drop: (asid) => {
      // The server drops the rest together with the listener.
      if (!isGreeting(asid)) client.call(talkApi.drop, { ...listener, asid }).catch(() => undefined);
    },
  };
}

async function load(address: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const response = await fetch(address, { signal, credentials: 'omit' });
  const bytes = Number(response.headers.get('content-length') ?? 0);
  if (!response.ok || bytes > mostBytes) throw new Error(`no audio: ${response.status}`);
  return response.arrayBuffer();
}
