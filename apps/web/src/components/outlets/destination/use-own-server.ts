import { useQuery } from '@tanstack/react-query';
import { streamAddresses } from '@weir/streams';
import { useMemo } from 'react';
import { publishAuthQuery } from '../../../lib/queries/publish-auth-queries.ts';
import { environmentQuery } from '../../../lib/queries/system-queries.ts';
import type { OwnServer } from './own-destination.ts';

/** This server as a destination; undefined until ports and secret are known. */
export function useOwnServer(): OwnServer | undefined {
  const { data: environment } = useQuery(environmentQuery);
  const { data: secret } = useQuery(publishAuthQuery);
  return useMemo(() => {
    if (!environment || !secret) return undefined;
    const serverOf = (hostname: string) => {
      const page = { protocol: window.location.protocol, port: window.location.port, hostname };
      return streamAddresses({ page, environment: { ...environment, mediaHost: '' } }).rtmpServer;
    };
    const { mediaHost = window.location.hostname } = environment;
    const hosts = ['localhost', '127.0.0.1', window.location.hostname, mediaHost];
    const aliases = hosts.map((host) => serverOf(host).replace(/\/+$/, '').toLowerCase());
    return { server: serverOf('localhost'), aliases, publishSecret: secret.publish };
  }, [environment, secret]);
}
