import type { WatchedStream } from '@weir/contract';
import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { embedCode } from '../../lib/embed-code.ts';
import { IconCopy, IconLink, IconSend, IconX } from './icons.ts';
import classes from './share-dialog.module.css';

interface ShareDialogProps {
  playback: string;
  title: string;
  mode: WatchedStream['mode'];
  onClose: () => void;
}

/** Address of the page as a link, a QR code and a frame for web sites. It never contains the viewer's own token. */
export function ShareDialog({ playback, title, mode, onClose }: ShareDialogProps) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [outcome, setOutcome] = useState('');
  const link = `${window.location.origin}/watch/${playback}`;
  const player = `${window.location.origin}/embed/${playback}`;
  useEffect(() => dialog.current?.showModal(), []);
  const copy = async (text: string) => {
    const isDone = await copyText(text, dialog.current);
    setOutcome(t(isDone ? 'watch.share.copied' : 'watch.share.notCopied'));
  };
  const audience = mode === 'open' ? 'open' : mode === 'password' ? 'password' : 'limited';
  return (
    <dialog ref={dialog} className={classes.dialog} aria-labelledby={`${id}-title`} onClose={onClose}>
      <div className={classes.head}>
        <h2 id={`${id}-title`}>{t('watch.share.title')}</h2>
        <button
          type="button"
          className={classes.close}
          aria-label={t('watch.share.close')}
          onClick={() => dialog.current?.close()}
        >
          <IconX size={20} aria-hidden />
        </button>
      </div>
      <div className={classes.body}>
        <QRCodeSVG
          className={classes.code}
          value={link}
          size={112}
          level="L"
          marginSize={2}
          title={t('watch.share.qr')}
        />
        <div className={classes.link}>
          <label htmlFor={`${id}-link`}>{t('watch.share.link')}</label>
          <input id={`${id}-link`} readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
          <p>{t(`watch.share.${audience}`)}</p>
        </div>
      </div>
      <div className={classes.actions}>
        <button type="button" className={classes.primary} onClick={() => copy(link)}>
          <IconCopy size={18} aria-hidden />
          {t('watch.share.copyLink')}
        </button>
        <button
          type="button"
          className={classes.secondary}
          onClick={() => copy(embedCode({ player, title, size: 'fluid' }))}
        >
          <IconLink size={18} aria-hidden />
          {t('watch.share.copyEmbed')}
        </button>
        {'share' in navigator && (
          <button
            type="button"
            className={classes.secondary}
            onClick={() => navigator.share({ title, url: link }).catch(() => undefined)}
          >
            <IconSend size={18} aria-hidden />
            {t('watch.share.send')}
          </button>
        )}
      </div>
      <p className={classes.outcome} role="status">
        {outcome}
      </p>
    </dialog>
  );
}

/** Pages over HTTP have no clipboard, but may copy what is selected. */
async function copyText(text: string, place: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    field.className = classes.offscreen ?? '';
    (place ?? document.body).append(field);
    field.select();
    const isDone = document.execCommand('copy');
    field.remove();
    return isDone;
  }
}
