import type { Outlet } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { type OwnServer, ownStreamName } from './own-destination.ts';

/** Short destination name without path and query, which may contain secrets. */
export function useDestinationName(own?: OwnServer): (slot: Pick<Outlet, 'server' | 'secret'>) => string {
  const { t } = useTranslation();
  return (slot) => {
    const name = own && ownStreamName(slot, own);
    return name === undefined ? serverName(slot.server) : t('plat.com.ownPlace', { stream: `live/${name}` });
  };
}

function serverName(server: string): string {
  return URL.canParse(server) ? new URL(server).hostname : '';
}
