import { ActionIcon, Button, Group, Menu, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { IconCopy, IconExternalLink } from '../../components/ui/theme/icons.ts';
import { useCopy } from '../../lib/notify.ts';
import { conversationText, saveText } from './conversation-rows.ts';
import { IconDownload, IconSettings, IconVolume, IconVolumeOff } from './icons.ts';
import { IdentityFields } from './identity-fields.tsx';
import { problemText, type TalkProblem } from './session/talk-problem.ts';
import classes from './talk.module.css';
import { transcriptLink } from './talk-address.ts';
import type { Conversation } from './use-conversation.ts';

const windowSize = 'popup,noopener,width=1024,height=768';

export function SessionMenu({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const [isEditing, setIsEditing] = useState(false);
  const { talk, rows, you, nameOf, playback, state } = conversation;
  const text = () => conversationText(rows, { nameOf, you });
  const day = new Date().toISOString().slice(0, 10);
  const isQuiet = playback.isMuted;
  return (
    <div className={classes.menu}>
      {talk.mode !== 'dictation' && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={t('talk.speakerOff')}
          aria-pressed={isQuiet}
          onClick={() => playback.setMuted(!isQuiet)}
        >
          {isQuiet ? <IconVolumeOff size={20} aria-hidden /> : <IconVolume size={20} aria-hidden />}
        </ActionIcon>
      )}
      <Menu position="bottom-end" transitionProps={{ duration: 100 }} withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={36} aria-label={t('talk.menu')}>
            <IconSettings size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {talk.mode !== 'transcript' && state.phase !== 'ended' && (
            <Menu.Item onClick={() => setIsEditing(true)}>{t('talk.settings')}</Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconCopy size={16} aria-hidden />}
            disabled={rows.length === 0}
            onClick={() => void copy(text())}
          >
            {t('talk.copy')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconDownload size={16} aria-hidden />}
            disabled={rows.length === 0}
            onClick={() => saveText(text(), `conversation-${day}.txt`)}
          >
            {t('talk.download')}
          </Menu.Item>
          {talk.mode !== 'transcript' && (
            <Menu.Item
              leftSection={<IconExternalLink size={16} aria-hidden />}
              onClick={() => window.open(transcriptLink(talk, new Date()), '_blank', windowSize)}
            >
              {t('talk.openWindow')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isEditing && <SessionDialog conversation={conversation} onClose={() => setIsEditing(false)} />}
    </div>
  );
}

function SessionDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { t } = useTranslation();
  const { session, state } = conversation;
  const [identity, setIdentity] = useState({ name: state.name, language: state.language });
  const [isSaving, setIsSaving] = useState(false);
  const [problem, setProblem] = useState<TalkProblem>();
  const save = async () => {
    setIsSaving(true);
    const saved = await session.enter(identity.name.trim(), identity.language);
    setIsSaving(false);
    if ('kind' in saved) setProblem(saved);
    else onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t('talk.settings')} closeButtonProps={{ 'aria-label': t('helper.cancel') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Stack gap="md">
          <IdentityFields identity={identity} onChange={setIdentity} />
          {problem && (
            <div role="alert">
              <Notice tone="bad" title={problemText(t, problem)} />
            </div>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('helper.cancel')}
            </Button>
            <Button type="submit" loading={isSaving}>
              {t('talk.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
