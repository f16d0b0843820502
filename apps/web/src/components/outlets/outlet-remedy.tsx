import { Button, PasswordInput } from '@mantine/core';
import { type Outlet, outletLimits, type ProcessReport } from '@weir/contract';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNextTry } from '../processes/process-reason.tsx';
import classes from './outlet-remedy.module.css';
import type { OutletActions } from './use-outlet-actions.ts';

interface OutletRemedyProps<Slot extends Outlet> {
  report: ProcessReport;
  title: string;
  slot: Slot;
  actions: OutletActions<Slot>;
  onEdit: () => void;
  onLog: () => void;
}

/** Problem of a row: cause, remedy, and the button that applies it. */
export function OutletRemedy<Slot extends Outlet>(props: OutletRemedyProps<Slot>) {
  const { report, title, slot, actions, onEdit, onLog } = props;
  const { t } = useTranslation();
  const next = useNextTry(report);
  const cause = report.failure?.cause ?? 'unknown';
  return (
    <Remedy tone={report.state === 'failing' ? 'bad' : 'warn'}>
      <p className={classes.text}>
        <b>{t(`process.why.${cause}`)}</b> {t(`process.remedy.${cause}`)}
      </p>
      <div className={classes.actions}>
        {cause === 'key-refused' && <NewKey title={title} slot={slot} actions={actions} />}
        <Button size="xs" variant="default" disabled={actions.isBusy} onClick={() => actions.retry(slot)}>
          {t('plat.com.retry')}
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={onEdit}>
          {t('plat.com.edit')}
        </Button>
        <Button size="xs" variant="subtle" color="gray" aria-label={t('process.log.openOf', { title })} onClick={onLog}>
          {t('process.log.open')}
        </Button>
        <span className={classes.next}>{next}</span>
      </div>
    </Remedy>
  );
}

/** Field for a key that replaces the refused one, in the place where the refusal is shown. */
function NewKey<Slot extends Outlet>({
  title,
  slot,
  actions,
}: Pick<OutletRemedyProps<Slot>, 'title' | 'slot' | 'actions'>) {
  const { t } = useTranslation();
  const [secret, setSecret] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (secret.trim() !== '') actions.save({ ...slot, secret: secret.trim(), enabled: true });
  };
  return (
    <form className={classes.key} onSubmit={submit}>
      <PasswordInput
        size="xs"
        className={classes.field}
        aria-label={t('plat.com.newKeyOf', { name: title })}
        placeholder={t('plat.com.newKey')}
        autoComplete="off"
        data-1p-ignore
        maxLength={outletLimits.secretCharacters}
        value={secret}
        onChange={(event) => setSecret(event.currentTarget.value)}
      />
      <Button size="xs" type="submit" loading={actions.isSaving} disabled={secret.trim() === '' || actions.isBusy}>
        {t('plat.com.replaceKey')}
      </Button>
    </form>
  );
}

/** A row that has a source but no destination yet. */
export function UnfinishedNote({ onEdit }: { onEdit: () => void }) {
  const { t } = useTranslation();
  return (
    <Remedy tone="warn">
      <p className={classes.text}>{t('plat.com.unfinishedText')}</p>
      <div className={classes.actions}>
        <Button size="xs" onClick={onEdit}>
          {t('plat.com.finish')}
        </Button>
      </div>
    </Remedy>
  );
}

function Remedy({ tone, children }: { tone: 'bad' | 'warn'; children: ReactNode }) {
  return (
    <div className={classes.remedy} data-tone={tone}>
      {children}
    </div>
  );
}
