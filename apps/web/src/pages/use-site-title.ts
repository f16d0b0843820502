import { product } from '@weir/contract';
import { useEffect, useState } from 'react';

const titlePath = '/terraform/v1/mgmt/beian/query';

/** Site title set by the operator, else the product name. */
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
      // The title is optional.
      .catch(() => undefined);
    return () => gone.abort();
  }, []);
  return title;
}
