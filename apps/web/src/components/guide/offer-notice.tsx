import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/feedback/notice.tsx';
import type { ProtocolOffer } from './protocol-offer.ts';

/** Above a guide that cannot be followed yet: why, and what to do on the server. */
export function OfferNotice({ title, offer, port }: { title: string; offer: ProtocolOffer; port: string }) {
  const { t } = useTranslation();
  if (offer.kind !== 'off') return null;
  return (
    <Notice tone="warn" title={title}>
      <p>{t(`live.off.${offer.obstacle}`, { port })}</p>
    </Notice>
  );
}
