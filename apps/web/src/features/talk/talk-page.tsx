import { Button, Loader, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { talkLimits, talkPaths } from '@weir/contract';
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { useLocale } from '../../lib/i18n.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import composerClasses from './composer.module.css';
import { IdentityFields, languageName } from './identity-fields.tsx';
import { DictationPad, isTouch, MicrophonePad } from './microphone-pad.tsx';
import { problemText, type TalkProblem } from './session/talk-problem.ts';
import type { TalkSession } from './session/talk-session.ts';
import type { TalkState } from './session/talk-state.ts';
import { pause } from './session/talk-store.ts';
import { SessionMenu } from './session-menu.tsx';
import classes from './talk.module.css';
import { readTalkAddress, type TalkAddress, type TalkAddressProblem } from './talk-address.ts';
import { TipList } from './tips.tsx';
import { CaptionRow, TranscriptView } from './transcript-view.tsx';
import { type Conversation, useConversation } from './use-conversation.ts';
import { useWakeLock } from './voice/use-voice.ts';

/** Entry of guest windows, which have no shell. The address names the app. */
export function TalkEntryPage() {
  const [query] = useSearchParams();
  const address = useMemo(() => readTalkAddress(query), [query]);
  if (address.kind === 'problem') return <WrongLink problem={address.problem} app={address.app} />;
  const { room, roomToken, mode } = address.talk;
  return <TalkPage key={`${mode} ${room} ${roomToken}`} talk={address.talk} />;
}

function WrongLink({ problem, app }: { problem: TalkAddressProblem; app: string }) {
  const { t } = useTranslation();
  if (problem === 'invalidApp')
    return (
      <Stack gap={4}>
        <Title order={1}>{t('talk.link.invalidApp', { app })}</Title>
        <Text c="dimmed">{t('talk.link.invalidAppText')}</Text>
      </Stack>
    );
  return (
    <Stack gap={4} align="flex-start">
      <Title order={1}>{t('talk.link.incomplete')}</Title>
      <Text ff="monospace">{t(`talk.link.${problem}`)}</Text>
      <Text c="dimmed">{t(`talk.link.${problem}Text`)}</Text>
    </Stack>
  );
}

/** Page of a guest: joins the room, asks for a name, then talks or listens. */
export function TalkPage({ talk }: { talk: TalkAddress }) {
  const { t } = useTranslation();
  const conversation = useConversation(talk);
  const { state, session } = conversation;
  const [isGreeting, setIsGreeting] = useState(false);
  const { phase, entries } = state;
  useWakeLock(phase === 'live');
  useGreeting(conversation, talk.mode === 'transcript');
  if (phase === 'starting' || (phase === 'ended' && entries.length === 0))
    return (
      <Stack gap="md" className={classes.narrow}>
        {phase === 'starting' && (
          <div className={classes.starting} role="status">
            <Loader size="sm" />
            <Text c="dimmed">{t('talk.starting')}</Text>
          </div>
        )}
        {phase === 'ended' && <Title order={1}>{t('talk.title')}</Title>}
        <ConnectionNotice state={state} session={session} />
      </Stack>
    );
  if (phase === 'naming' || isGreeting)
    return <StartForm conversation={conversation} isGreeting={isGreeting} onGreeting={setIsGreeting} />;
  return <TalkView conversation={conversation} />;
}

/** Conversation with the controls for speaking. Listeners see only the conversation. */
function TalkView({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { talk, session, state, tips, draft, setDraft, isDraft, say } = conversation;
  const { name, language, phase, seat } = state;
  const field = useRef<HTMLTextAreaElement>(null);
  const canSpeak = talk.mode !== 'transcript' && phase !== 'ended';
  const title = seat?.title || t(talk.mode === 'transcript' ? 'talk.transcript' : 'talk.title');
  usePageTitle([title]);
  const hasMicrophone = canSpeak && seat?.aiAsrEnabled !== false;
  return (
    <div className={classes.page} data-mode={talk.mode}>
      <Paper withBorder component="section" className={classes.transcript} aria-label={t('talk.transcript')}>
        <header className={classes.header}>
          <Title order={1} className={classes.title}>
            {title}
          </Title>
          {talk.mode !== 'transcript' && (
            <Text c="dimmed" size="sm" className={classes.who}>
              {name || t('talk.you')}
              {language !== '' && ` · ${languageName(language, locale)}`}
            </Text>
          )}
          <SessionMenu conversation={conversation} />
        </header>
        <ConnectionNotice state={state} session={session} />
        <TipList tips={tips} />
        <ConversationLog conversation={conversation} onType={() => field.current?.focus()} />
      </Paper>
      {canSpeak && (
        <section className={classes.composer} aria-label={t('talk.composer')}>
          <TextComposer
            field={field}
            draft={draft}
            isDraft={isDraft}
            onDraft={setDraft}
            onSend={(text) => say({ text })}
          />
          {hasMicrophone && talk.mode === 'chat' && (
            <MicrophonePad microphone={conversation.microphone} isDraft={isDraft} />
          )}
          {hasMicrophone && talk.mode === 'dictation' && <DictationPad conversation={conversation} />}
        </section>
      )}
    </div>
  );
}

/** Delay after which people suspect a failure. */
const slowMs = 8000;

/** Messages, pending utterances and the current state of the conversation. */
function ConversationLog({ conversation, onType }: { conversation: Conversation; onType: () => void }) {
  const { t } = useTranslation();
  const { talk, session, state, playback, silent, rows, caption, you, nameOf, setDraft } = conversation;
  const isOver = state.phase === 'ended';
  const canSpeak = talk.mode !== 'transcript' && !isOver;
  return (
    <TranscriptView
      rows={rows}
      caption={caption}
      turns={{
        nameOf,
        silent,
        onStop: playback.stop,
        playing: playback.state === 'idle' ? '' : playback.asid,
        onReplay: isOver ? undefined : (asids) => void playback.replay(asids),
        onEdit: canSpeak ? setDraft : undefined,
        onAskAgain: canSpeak ? (rid) => void session.sender.askAgain(rid) : undefined,
      }}
      waiting={{
        you,
        isOver,
        isOffline: state.trouble !== undefined,
        onRetry: (id) => session.sender.retry(id),
        onDiscard: (id) => session.sender.discard(id),
        onType,
      }}
      empty={state.phase === 'waiting' ? t('talk.nobody') : t('talk.empty')}
      now={
        <>
          {caption !== '' && <CaptionRow text={caption} you={you} />}
          {state.isPending && <Answering />}
          {playback.state === 'blocked' && (
            <p className={classes.now}>
              <Button size="compact-md" variant="default" onClick={() => void playback.resume().catch(() => undefined)}>
                {t('talk.allowAudio')}
              </Button>
            </p>
          )}
        </>
      }
    />
  );
}

function Answering() {
  const { t } = useTranslation();
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), slowMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p className={classes.now}>
      <Loader size={14} type="dots" aria-hidden /> {isSlow ? t('talk.slow') : t('talk.answering')}
    </p>
  );
}

interface TextComposerProps {
  field: RefObject<HTMLTextAreaElement | null>;
  draft: string;
  /** Recognized speech arrives here for correction. */
  isDraft: boolean;
  onDraft: (draft: string) => void;
  /** Returns false if the text was not accepted and must stay. */
  onSend: (text: string) => boolean;
}

/** Text input, which works without a microphone. */
function TextComposer({ field, draft, isDraft, onDraft, onSend }: TextComposerProps) {
  const { t } = useTranslation();
  const typed = useRef('');
  // Text set from outside is meant to be edited, so focus the field.
  useEffect(() => {
    if (draft !== typed.current && draft !== '') field.current?.focus();
    typed.current = draft;
  }, [draft, field]);
  const change = (text: string) => {
    typed.current = text;
    onDraft(text);
  };
  const send = () => {
    const text = draft.trim();
    if (text !== '' && onSend(text)) change('');
  };
  // An input method uses Enter to choose a character.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className={composerClasses.text}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        ref={field}
        className={composerClasses.field}
        size="md"
        rows={1}
        classNames={{ input: composerClasses.lines }}
        {...(isDraft && draft !== '' && { description: t('talk.checkText') })}
        aria-label={t('talk.text')}
        placeholder={t('talk.text')}
        value={draft}
        maxLength={talkLimits.textCharacters}
        autoComplete="off"
        enterKeyHint="send"
        onKeyDown={onKeyDown}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <Button type="submit" size="md" disabled={draft.trim() === ''}>
        {t('talk.send')}
      </Button>
    </form>
  );
}

interface StartFormProps {
  conversation: Conversation;
  isGreeting: boolean;
  onGreeting: (isGreeting: boolean) => void;
}

/** Longest wait for the greeting. */
const greetingMs = 6000;

/** Name and language of the guest. The click also lets the page play audio and request the microphone. */
function StartForm({ conversation, isGreeting, onGreeting }: StartFormProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { talk, session, state, microphone, playback, tips } = conversation;
  const [identity, setIdentity] = useState({
    name: talk.username || state.name,
    language: talk.language || state.language || locale,
  });
  const [problem, setProblem] = useState<TalkProblem>();
  const canHear = state.seat?.aiAsrEnabled === true;
  // A server without a voice has no greeting, which is no fault of the speakers.
  const greet = async (voice: string) => ((await hasGreeting(voice)) ? playback.add(voice) : 'silent');
  const enter = async () => {
    onGreeting(true);
    setProblem(undefined);
    void playback.resume().catch(() => undefined);
    if (canHear && window.isSecureContext) void microphone.open();
    const entered = await session.enter(identity.name.trim(), identity.language);
    if ('kind' in entered) setProblem(entered);
    else {
      const over = new AbortController();
      const greeting = await Promise.race([greet(entered.voice), pause(greetingMs, over.signal)]);
      over.abort();
      if (greeting === 'failed') tips.show({ tone: 'bad', text: t('talk.speaker') });
    }
    onGreeting(false);
    tips.show({
      tone: 'info',
      text: t(`talk.usage.${talk.mode === 'dictation' ? 'dictation' : isTouch() ? 'touch' : 'chat'}`),
    });
  };
  return (
    <form
      className={classes.narrow}
      onSubmit={(event) => {
        event.preventDefault();
        void enter();
      }}
    >
      <Stack gap="md">
        <div>
          <Title order={1}>{state.seat?.title || t('talk.title')}</Title>
          <Text c="dimmed">{talk.mode === 'dictation' ? t('talk.intro.dictation') : t('talk.intro.chat')}</Text>
        </div>
        <IdentityFields identity={identity} onChange={setIdentity} />
        {canHear &&
          (window.isSecureContext ? (
            <Text size="sm" c="dimmed">
              {t('talk.microphoneWhy')}
            </Text>
          ) : (
            <Notice tone="warn" title={t('talk.https')}>
              {t('talk.httpsText')}
            </Notice>
          ))}
        {problem && (
          <div role="alert">
            <Notice tone="bad" title={problemText(t, problem)} />
          </div>
        )}
        <ConnectionNotice state={state} session={session} />
        <Button type="submit" size="md" loading={isGreeting}>
          {talk.mode === 'dictation' ? t('talk.startDictation') : t('talk.startChat')}
        </Button>
      </Stack>
    </form>
  );
}

function hasGreeting(voice: string): Promise<boolean> {
  if (voice === '') return Promise.resolve(false);
  return fetch(`${talkPaths.helloVoices}/${voice}`, { credentials: 'omit' }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Greets listeners once, which shows before the first answer whether the browser allows audio. */
function useGreeting({ state, playback: { add } }: Conversation, isWanted: boolean): void {
  const isDone = useRef(false);
  const voice = state.seat?.voice ?? '';
  useEffect(() => {
    if (!isWanted || voice === '' || isDone.current) return;
    isDone.current = true;
    void hasGreeting(voice).then((isThere) => (isThere ? add(voice) : undefined));
  }, [isWanted, voice, add]);
}

/** Problem between this page and the room, with the remedy. Empty while there is none. */
function ConnectionNotice({ state, session }: { state: TalkState; session: TalkSession }) {
  const { t } = useTranslation();
  const { end, rest, trouble, outbox } = state;
  const isOld = rest === 'quiet' || rest === 'silent';
  return (
    <div className={classes.line} role="status">
      {end && (
        <Notice tone="bad" title={t(`talk.end.${end.kind as 'token' | 'room' | 'assistant'}`)}>
          {t('talk.endText')}
        </Notice>
      )}
      {!end && isOld && (
        <Notice tone="warn" title={t(`talk.rest.${rest}`)}>
          <Button size="compact-md" variant="default" onClick={() => session.wake()}>
            {t('talk.continue')}
          </Button>
        </Notice>
      )}
      {!end && !isOld && trouble && (
        <Notice tone="warn" title={problemText(t, trouble)}>
          {trouble.kind === 'silence' && outbox.length > 0 && <p>{t('talk.kept')}</p>}
        </Notice>
      )}
    </div>
  );
}
