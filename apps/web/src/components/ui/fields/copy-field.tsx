import { ActionIcon, Button, Input } from '@mantine/core';
import { type ReactNode, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyScreen } from '../../../lib/lazy.ts';
import { useCopy } from '../../../lib/notify.ts';
import { IconCopy, IconQrcode } from '../theme/icons.ts';
import classes from './copy-field.module.css';
import { RevealButton } from './reveal-button.tsx';

// Few ever ask for one, and every page has fields to copy.
const QrCode = lazyScreen(async () => (await import('./qr-code.tsx')).QrCode).Component;

interface CopyFieldProps {
  label: string;
  value: string;
  /** Masked whole until it is asked for; copying does not show it. */
  isSecret?: boolean;
  /** The part of the value to mask, where the rest may be read. */
  secret?: string | undefined;
  /** What a phone should open; offered as a picture for its camera. */
  qrValue?: string;
  /** Wraps instead of being cut: for commands. */
  isLong?: boolean;
  help?: ReactNode;
  /** Small buttons that change the value. */
  actions?: ReactNode;
}

const mask = '••••••••';

/** Something to take elsewhere: label, value, copy. */
export function CopyField(props: CopyFieldProps) {
  const { label, value, isSecret = false, secret = '', qrValue, isLong = false, help, actions } = props;
  const { t } = useTranslation();
  const copy = useCopy();
  const id = useId();
  const [isShown, setIsShown] = useState(false);
  const [isQrShown, setIsQrShown] = useState(false);
  const isPartMasked = secret !== '' && value.includes(secret);
  const shown = isPartMasked && !isShown ? value.replaceAll(secret, mask) : value;
  const field = {
    id,
    className: classes.value,
    autoComplete: 'off',
    spellCheck: false,
    readOnly: true,
    value: shown,
    onFocus: (event: { currentTarget: { select(): void } }) => event.currentTarget.select(),
    // Whoever copies by the keyboard wants what works, not the dots.
    onCopy: (event: React.ClipboardEvent) => {
      if (shown === value || isSecret) return;
      event.clipboardData.setData('text/plain', value);
      event.preventDefault();
    },
  };
  return (
    <Input.Wrapper label={label} id={id} description={help}>
      <div className={classes.row}>
        <div className={classes.box}>
          {isLong ? (
            <textarea {...field} rows={2} data-long />
          ) : (
            <input {...field} type={isSecret && !isShown ? 'password' : 'text'} />
          )}
          {(isSecret || isPartMasked) && <RevealButton isShown={isShown} onChange={setIsShown} />}
          {actions}
          {qrValue !== undefined && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('helper.qrCode', { label })}
              title={t('helper.qrCode', { label })}
              aria-expanded={isQrShown}
              onClick={() => setIsQrShown(!isQrShown)}
            >
              <IconQrcode size={18} aria-hidden />
            </ActionIcon>
          )}
        </div>
        <Button
          className={classes.copy}
          variant="default"
          leftSection={<IconCopy size={16} aria-hidden />}
          aria-label={t('helper.copyWhat', { label })}
          onClick={() => copy(value)}
        >
          {t('helper.copy')}
        </Button>
      </div>
      {isQrShown && qrValue !== undefined && (
        <div className={classes.qr}>
          <Suspense>
            <QrCode value={qrValue} label={t('helper.qrCode', { label })} />
          </Suspense>
        </div>
      )}
    </Input.Wrapper>
  );
}
