import { Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { saveCredentials } from '../../lib/credentials.ts';
import { dismissError } from '../../lib/errors/error-report.ts';
import { SignInForm, useSignInEndedText } from './sign-in-form.tsx';

/** Signs in again without leaving the page. Open forms stay and their queries run again. */
export function SignInDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const endedText = useSignInEndedText();
  const queries = useQueryClient();
  const onSignedIn = (answer: unknown) => {
    saveCredentials(answer);
    dismissError();
    onClose();
    void queries.invalidateQueries();
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('login.title')}
      centered
      transitionProps={{ duration: 150 }}
      closeButtonProps={{ 'aria-label': t('helper.cancel') }}
    >
      <Text size="sm" c="dimmed" mb="md">
        {endedText}
      </Text>
      <SignInForm onSignedIn={onSignedIn} />
    </Modal>
  );
}
