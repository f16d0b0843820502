import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import type { VoiceMicrophone } from '../voice/voice-types.ts';

/** Why there is no microphone, in words, and what to do. */
export function MicrophoneProblem({ microphone }: { microphone: VoiceMicrophone }) {
  const { t } = useTranslation();
  const { state, detail, open } = microphone;
  if (state === 'ready') return null;
  if (state === 'asking') return <Notice tone="info" title={t('talk.microphone.asking')} />;
  if (state === 'insecure' || !window.isSecureContext)
    return (
      <Notice tone="warn" title={t('talk.https')}>
        {t('talk.httpsText')}
      </Notice>
    );
  if (state === 'closed')
    return (
      <Button variant="default" size="md" onClick={() => void open()}>
        {t('talk.microphone.open')}
      </Button>
    );
  return (
    <Notice tone="bad" title={`${t('talk.microphone.failedTitle')} ${t(`talk.microphone.${state}`)}`}>
      {detail !== '' && <p>{detail}</p>}
      <Button size="compact-md" variant="default" onClick={() => void open()}>
        {t('talk.tryAgain')}
      </Button>
    </Notice>
  );
}
