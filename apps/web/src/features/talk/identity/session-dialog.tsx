import { Button, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { problemText } from '../problem-text.ts';
import type { TalkProblem } from '../session/talk-problem.ts';
import type { Conversation } from '../use-conversation.ts';
import { IdentityFields } from './identity-fields.tsx';

/** Another name or language, during the conversation. */
export function SessionDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
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
