import { Paper, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../lib/i18n.ts';
import { DictationPad } from './composer/dictation-pad.tsx';
import { MicrophonePad } from './composer/microphone-pad.tsx';
import { TextComposer } from './composer/text-composer.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { ConversationLog } from './conversation-log.tsx';
import { languageName } from './identity/languages.ts';
import { SessionMenu } from './session-menu.tsx';
import classes from './talk.module.css';
import { TipList } from './tip-list.tsx';
import type { Conversation } from './use-conversation.ts';

/** The conversation, and below or beside it what one speaks with. Who only listens has the conversation alone. */
export function TalkView({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { talk, session, state, tips, draft, setDraft, isDraft, say } = conversation;
  const { name, language, phase, seat } = state;
  const canSpeak = talk.mode !== 'transcript' && phase !== 'ended';
  const hasMicrophone = canSpeak && seat?.aiAsrEnabled !== false;
  return (
    <div className={classes.page} data-mode={talk.mode}>
      <Paper withBorder component="section" className={classes.transcript} aria-label={t('talk.transcript')}>
        <header className={classes.header}>
          <Title order={1} className={classes.title}>
            {talk.mode === 'transcript' ? t('talk.transcript') : t('talk.title')}
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
        <ConversationLog conversation={conversation} />
      </Paper>
      {canSpeak && (
        <section className={classes.composer} aria-label={t('talk.composer')}>
          <TextComposer draft={draft} isDraft={isDraft} onDraft={setDraft} onSend={(text) => say({ text })} />
          {hasMicrophone && talk.mode === 'chat' && (
            <MicrophonePad microphone={conversation.microphone} isDraft={isDraft} />
          )}
          {hasMicrophone && talk.mode === 'dictation' && <DictationPad conversation={conversation} />}
        </section>
      )}
    </div>
  );
}
