import { Button, Stack, Text, Title } from '@mantine/core';
import { talkPaths } from '@weir/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { useLocale } from '../../lib/i18n.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { IdentityFields } from './identity-fields.tsx';
import { isTouch } from './microphone-pad.tsx';
import { problemText, type TalkProblem } from './session/talk-problem.ts';
import { pause } from './session/talk-store.ts';
import classes from './talk.module.css';
import type { Conversation } from './use-conversation.ts';

interface StartFormProps {
  conversation: Conversation;
  isGreeting: boolean;
  onGreeting: (isGreeting: boolean) => void;
}

/** Longest wait for the greeting. */
const greetingMs = 6000;

/** Name and language of the guest. The click also lets the page play audio and request the microphone. */
export function StartForm({ conversation, isGreeting, onGreeting }: StartFormProps) {
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
export function useGreeting({ state, playback: { add } }: Conversation, isWanted: boolean): void {
  const isDone = useRef(false);
  const voice = state.seat?.voice ?? '';
  useEffect(() => {
    if (!isWanted || voice === '' || isDone.current) return;
    isDone.current = true;
    void hasGreeting(voice).then((isThere) => (isThere ? add(voice) : undefined));
  }, [isWanted, voice, add]);
}
