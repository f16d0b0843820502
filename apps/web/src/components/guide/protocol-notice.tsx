import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/feedback/notice.tsx';
import type { ProtocolAvailability } from './protocol-availability.ts';

/** Explains why a guide cannot be followed yet, and the remedy. */
export function ProtocolNotice({ title, offer, port }: { title: string; offer: ProtocolAvailability; port: string }) {
  const { t } = useTranslation();
  if (offer.kind !== 'off') return null;
  return (
    <Notice tone="warn" title={title}>
      <p>{t(`live.off.${offer.obstacle}`, { port })}</p>
    </Notice>
  );
}
