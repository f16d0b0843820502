import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { Section } from '../../components/ui/layout/section.tsx';

/** These views use the console's sign-in, which they read from browser storage. */
export function SignedOut() {
  const { t } = useTranslation();
  return (
    <Section title={t('server-console.signedOut')}>
      <EmptyState title={t('server-console.signedOutTitle')} text={t('server-console.signedOutText')}>
        <Anchor inherit href="/mgmt/">
          {t('server-console.toConsole')}
        </Anchor>
      </EmptyState>
    </Section>
  );
}
