import { useQuery } from '@tanstack/react-query';
import { defaultVhost, type StreamAddresses, streamAddresses } from '@weir/streams';
import { useMemo } from 'react';
import { publishAuthQuery } from '../../lib/queries/publish-auth-queries.ts';
import { environmentQuery } from '../../lib/queries/system-queries.ts';
import { useStreamName } from './stream-name.ts';

/** Addresses of a stream, by default this browser's own; undefined until ports and secret are known. */
export function useStreamAddresses(stream?: string, vhost = defaultVhost): StreamAddresses | undefined {
  const name = useStreamName();
  const path = stream ?? `live/${name}`;
  const { data: environment } = useQuery(environmentQuery);
  const { data: secret } = useQuery(publishAuthQuery);
  return useMemo(
    () => environment && secret && streamAddresses({ path, vhost, secret, page: window.location, environment }),
    [path, vhost, environment, secret],
  );
}
