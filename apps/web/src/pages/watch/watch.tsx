import type { WatchedStream } from '@weir/contract';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../lib/i18n.ts';
import { formatClock } from './format-time.ts';
import { IconLink, IconShare } from './icons.ts';
import { takeToken } from './page-data.ts';
import type { Stage } from './stage/stage.ts';
import { WatchStage } from './stage/watch-stage.tsx';
import { startViewer } from './start-viewer.tsx';
import { UnknownPage } from './unknown-page.tsx';
import { useWatched } from './use-watched.ts';
import frame from './viewer-frame.module.css';
import { ViewerFrame } from './viewer-frame.tsx';
import classes from './watch.module.css';

/** Loaded on demand, because it draws QR codes. */
const ShareDialog = lazy(async () => ({ default: (await import('./share-dialog.tsx')).ShareDialog }));

/** For a viewer who is refused, sharing is not the first thing to do. */
const mayWatch: readonly Stage[] = ['play', 'countdown', 'soon', 'offline', 'ended'];

/** Page of one stream. */
function WatchPage({ initial, isPreview }: { initial: WatchedStream; isPreview: boolean }) {
  const { t } = useTranslation();
  const [initialToken] = useState(() => takeToken(initial.playback));
  const [kind, setKind] = useState<string>();
  const [isSharing, setIsSharing] = useState(false);
  const { watched: known, stage, token, setToken, look } = useWatched({ initial, initialToken, kind, isPreview });
  const watched = usePreview(known, isPreview);
  const { page, pictures, site, mode } = watched;
  const title = page.title || site.title || t('watch.channel.untitled');
  const onLook = useCallback(() => void look(), [look]);
  return (
    <ViewerFrame site={site} logo={pictures.logo} background={pictures.background} accent={page.accent}>
      <main className={frame.main}>
        <WatchStage
          watched={watched}
          stage={stage}
          token={token}
          title={title}
          onToken={setToken}
          look={onLook}
          onKind={setKind}
          isPreview={isPreview}
        />
        <div className={classes.head}>
          <div className={classes.titles}>
            <h1 className={classes.title}>{title}</h1>
            <Times watched={watched} stage={stage} />
          </div>
          {page.allowsSharing && (
            <button
              type="button"
              className={classes.share}
              data-quiet={!mayWatch.includes(stage) || undefined}
              onClick={() => setIsSharing(true)}
            >
              <IconShare size={18} aria-hidden />
              {t('watch.share.title')}
            </button>
          )}
        </div>
        {page.description !== '' && <p className={classes.description}>{page.description}</p>}
        <Links links={page.links} />
      </main>
      {isSharing && (
        <Suspense>
          <ShareDialog playback={watched.playback} title={title} mode={mode} onClose={() => setIsSharing(false)} />
        </Suspense>
      )}
    </ViewerFrame>
  );
}

function Times({ watched, stage }: { watched: WatchedStream; stage: Stage }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const clock = (text: string) => formatClock(Date.parse(text), locale);
  const { isLive, startedAt, refusal, page } = watched;
  // Over is more than not live, and the stage says it.
  if (refusal !== '' || stage === 'ended') return null;
  if (!isLive) return <p className={classes.times}>{t('watch.notLive')}</p>;
  const isOver = page.endsAt === '' || Date.parse(page.endsAt) < Date.now();
  const parts = [
    ...(startedAt === '' ? [] : [t('watch.started', { time: clock(startedAt) })]),
    ...(isOver ? [] : [t('watch.until', { time: clock(page.endsAt) })]),
  ];
  return <p className={classes.times}>{parts.join(' · ')}</p>;
}

function Links({ links }: { links: WatchedStream['page']['links'] }) {
  const { t } = useTranslation();
  // The server accepts no others; a preview shows what is being typed.
  const safe = links.filter(({ name, url }) => name !== '' && /^(https?:\/\/|mailto:)/i.test(url));
  if (safe.length === 0) return null;
  return (
    <nav className={classes.links} aria-label={t('watch.links')}>
      {safe.map(({ name, url }) => (
        <a key={`${name} ${url}`} href={url} target="_blank" rel="noopener noreferrer nofollow ugc">
          <IconLink size={16} aria-hidden />
          {name}
        </a>
      ))}
    </nav>
  );
}

/** Draft that the console sends for the preview while its owner types. Other senders are ignored. */
function usePreview(watched: WatchedStream, isPreview: boolean): WatchedStream {
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

startViewer((data, address) =>
  data.kind === 'stream' ? (
    <WatchPage initial={data.stream} isPreview={address.searchParams.has('preview')} />
  ) : (
    <UnknownPage data={data} />
  ),
);
