import { Text } from '@mantine/core';
import type { BucketTest } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/feedback/notice.tsx';

/** Result of writing, reading and deleting a small file. */
export function BucketTestResult({ result: { step, failure, error } }: { result: BucketTest }) {
  const { t } = useTranslation();
  if (step === '' || failure === '') return <Notice tone="info" title={t('cloud.bucket.testOk')} />;
  return (
    <div role="alert">
      <Notice tone="bad" title={t(`cloud.bucket.testFailed.${step}`)}>
        <Text size="sm">{t(`cloud.failure.${failure}`)}</Text>
        <Text size="xs" c="dimmed">
          {error}
        </Text>
      </Notice>
    </div>
  );
}
