import { useQuery } from '@tanstack/react-query';
import { type StreamAddresses, streamAddresses } from '@weir/dialect';
import { useMemo } from 'react';
import { publishAuthQuery } from '../../lib/queries/publish-auth-queries.ts';
import { environmentQuery } from '../../lib/queries/system-queries.ts';
import { useStreamName } from './stream-name.ts';

/** The addresses of the stream this browser publishes; undefined until ports and secret are known. */
export function useStreamAddresses(): StreamAddresses | undefined {
  const name = useStreamName();
  const { data: environment } = useQuery(environmentQuery);
  const { data: secret } = useQuery(publishAuthQuery);
  return useMemo(
    () =>
      environment && secret && streamAddresses({ path: `live/${name}`, secret, page: window.location, environment }),
    [name, environment, secret],
  );
}
