import { product } from '@weir/contract';
import { useEffect, useState } from 'react';

const titlePath = '/terraform/v1/mgmt/beian/query';

/** The operator's name for this server, else the product's. */
export function useSiteTitle(): string {
  const [title, setTitle] = useState<string>(product.name);
  useEffect(() => {
    const gone = new AbortController();
    fetch(titlePath, { signal: gone.signal })
      .then((response) => response.json())
      .then((answer: { data?: { title?: unknown } }) => {
        const named = answer.data?.title;
        if (typeof named === 'string' && named !== '') setTitle(named);
      })
      // The page works without it.
      .catch(() => undefined);
    return () => gone.abort();
  }, []);
  return title;
}
