import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConfirmDialogProps } from '../../components/ui/feedback/confirm-dialog.tsx';
import { lazyScreen } from '../../lib/lazy.ts';
import classes from './kick-dialog.module.css';
import { kickClient, SrsError } from './srs-api.ts';

/** Loaded on first use: most visits only read. */
const dialog = lazyScreen<ConfirmDialogProps>(
  async () => (await import('../../components/ui/feedback/confirm-dialog.tsx')).ConfirmDialog,
);

export interface KickTarget {
  /** Client id. */
  readonly id: string;
  readonly name: string;
  readonly what: 'stream' | 'viewer';
}

interface KickDialogProps {
  target: KickTarget | undefined;
  onClose: () => void;
  onKicked: () => void;
}

export function KickDialog({ target, onClose, onKicked }: KickDialogProps) {
  const { t } = useTranslation();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  if (!target) return failure && <Failure text={failure} onClose={() => setFailure(undefined)} />;
  const kick = async () => {
    setIsBusy(true);
    setFailure(undefined);
    try {
      await kickClient(target.id);
    } catch (error) {
      setFailure(
        t('server-console.kickFailed', {
          name: target.name,
          reason: error instanceof SrsError ? t('errs.said.refused') : t('errs.network'),
        }),
      );
    }
    setIsBusy(false);
    onClose();
    onKicked();
  };
  return (
    <Suspense>
      <dialog.Component
        opened
        title={t('server-console.kickTitle', { name: target.name })}
        text={t(`server-console.kickText.${target.what}`)}
        action={t('helper.kickoff')}
        busy={isBusy}
        onConfirm={kick}
        onClose={onClose}
      />
    </Suspense>
  );
}

function Failure({ text, onClose }: { text: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.failure} role="alert">
      <span>{text}</span>
      <button type="button" className={classes.dismiss} onClick={onClose}>
        {t('errs.dismiss')}
      </button>
    </div>
  );
}
