import { useEffect, useState } from 'react';

const environmentPath = '/terraform/v1/mgmt/envs';

/** The port of HTTPS; empty: the usual one, and while the server has not said. */
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
      // The link leads to the usual port then.
      .catch(() => undefined);
    return () => gone.abort();
  }, []);
  return port;
}
