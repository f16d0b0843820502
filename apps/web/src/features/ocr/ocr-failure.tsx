import type { OcrState } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { AiReason } from '../../components/ai/ai-reason.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';

/** Why a segment was not read, and what to do. */
export function OcrFailure({ cause }: { cause: NonNullable<OcrState['cause']> }) {
  const { t } = useTranslation();
  if (cause !== 'no-picture') return <AiReason cause={cause} tone="warn" />;
  return (
    <Notice tone="warn" title={t('ocr.noPicture')}>
      <p>{t('ocr.noPictureRemedy')}</p>
    </Notice>
  );
}
