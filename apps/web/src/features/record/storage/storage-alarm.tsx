import type { RecordStorage } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../components/ui/facts/moment.tsx';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import classes from '../record.module.css';

/** Read out as soon as it is known: what is not recorded now cannot be recorded later. */
export function StorageAlarm({ storage: { state, limit, since } }: { storage: RecordStorage }) {
  const { t } = useTranslation();
  return (
    <div role="alert" className={classes.alarm}>
      {state !== 'ok' && (
        <Notice tone={state === 'deleting' ? 'warn' : 'bad'} title={t(`record.alarm.${state}`)}>
          {limit !== '' && <p>{t(`record.alarmText.${limit}`)}</p>}
          {since !== '' && (
            <p>
              {t('record.alarmSince')} <Moment at={since} />
            </p>
          )}
        </Notice>
      )}
    </div>
  );
}
