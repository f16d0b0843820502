import { useEffect, useState } from 'react';

const environmentPath = '/terraform/v1/mgmt/envs';

/** HTTPS port of the server; empty for the default port or while unknown. */
export function useHttpsPort(): string {
  const [port, setPort] = useState('');
  useEffect(() => {
    const gone = new AbortController();
    fetch(environmentPath, { method: 'POST', body: '{}', signal: gone.signal })
      .then((response) => response.json())
      .then((answer: { data?: { httpsPort?: unknown } }) => {
        const named = answer.data?.httpsPort;
        if (typeof named === 'string' && /^\d{1,5}$/.test(named)) setPort(named);
      })
      // Falls back to the default port.
      .catch(() => undefined);
    return () => gone.abort();
  }, []);
  return port;
}
