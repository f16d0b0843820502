import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { Section } from '../../components/ui/layout/section.tsx';

/** These views need the console's sign-in; it is read from the browser, so signing in there is enough. */
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
