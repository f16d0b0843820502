import type { WatchedStream } from '@weir/contract';
import { useEffect, useState } from 'react';

/** What the console shows in this page while its owner types. Other senders are ignored. */
export function usePreview(watched: WatchedStream, isPreview: boolean): WatchedStream {
  const [draft, setDraft] = useState<Partial<WatchedStream>>({});
  useEffect(() => {
    if (!isPreview || window.parent === window) return;
    const onMessage = ({ source, origin, data }: MessageEvent) => {
      if (source !== window.parent || origin !== window.location.origin || data?.type !== 'weir:preview') return;
      setDraft({ page: data.page, pictures: data.pictures });
    };
    window.addEventListener('message', onMessage);
    window.parent.postMessage({ type: 'weir:preview-ready' }, window.location.origin);
    return () => window.removeEventListener('message', onMessage);
  }, [isPreview]);
  return { ...watched, ...draft };
}
