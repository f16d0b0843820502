import type { Recording } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Notice } from '../../../components/ui/feedback/notice.tsx';

/** For links to a recording, such as those of past broadcasts, that outlive it. */
export function DeletedRecordingNotice({ recordings }: { recordings: readonly Recording[] }) {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const named = query.get('recording') ?? '';
  if (named === '' || recordings.some(({ uuid }) => uuid === named)) return null;
  return (
    <Notice tone="info" title={t('record.library.gone')}>
      {t('record.library.goneText')}
    </Notice>
  );
}
