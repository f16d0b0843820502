import { ActionIcon, Button, Input } from '@mantine/core';
import { type ReactNode, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyScreen } from '../../../lib/lazy.ts';
import { useCopy } from '../../../lib/notify.ts';
import { IconCopy, IconQrcode } from '../theme/icons.ts';
import classes from './copy-field.module.css';
import { RevealButton } from './reveal-button.tsx';

// Loaded on demand: few users need it, and every page has copy fields.
const QrCode = lazyScreen(async () => (await import('./qr-code.tsx')).QrCode).Component;

interface CopyFieldProps {
  label: string;
  value: string;
  /** Masks the whole value until revealed; copying does not reveal it. */
  isSecret?: boolean;
  /** Part of the value to mask. */
  secret?: string | undefined;
  /** Value of the QR code for phones. */
  qrValue?: string;
  /** Wraps instead of truncating, for commands. */
  isLong?: boolean;
  help?: ReactNode;
  /** Buttons that change the value. */
  actions?: ReactNode;
}

const mask = '••••••••';

/** Label, value and copy button. */
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
    // Copies the real value instead of the mask.
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
