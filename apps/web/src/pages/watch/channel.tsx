import type { ChannelStream, ListedChannel } from '@weir/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../lib/i18n.ts';
import classes from './channel.module.css';
import { formatDay } from './format-time.ts';
import { IconEye } from './icons.ts';
import player from './stage/watch-player.module.css';
import { startViewer } from './start-viewer.tsx';
import { UnknownPage } from './unknown-page.tsx';
import frame from './viewer-frame.module.css';
import { ViewerFrame } from './viewer-frame.tsx';
import { listChannel } from './watch-calls.ts';

const lookMs = 15_000;

/** The owner's public streams. */
function ChannelPage({ initial }: { initial: ListedChannel }) {
  const { t } = useTranslation();
  const { title, description, site, streams } = useChannel(initial);
  return (
    <ViewerFrame site={site}>
      <main className={frame.main}>
        <h1 className={classes.title}>{title || site.title || t('watch.channel.streams')}</h1>
        {description !== '' && <p className={classes.description}>{description}</p>}
        {streams.length === 0 ? (
          <p className={classes.empty}>{t('watch.channel.empty')}</p>
        ) : (
          <ul className={classes.list} aria-label={t('watch.channel.streams')}>
            {streams.map((stream) => (
              <StreamCard key={stream.playback} stream={stream} />
            ))}
          </ul>
        )}
      </main>
    </ViewerFrame>
  );
}

function useChannel(initial: ListedChannel): ListedChannel {
  const [channel, setChannel] = useState(initial);
  useEffect(() => {
    const timer = setInterval(() => {
      // The last list stays while the server does not answer.
      if (!document.hidden) listChannel().then(setChannel, () => undefined);
    }, lookMs);
    return () => clearInterval(timer);
  }, []);
  return channel;
}

function StreamCard({ stream }: { stream: ChannelStream }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { playback, title, isLive, viewers, startsAt, picture } = stream;
  const startMs = startsAt === '' ? 0 : Date.parse(startsAt);
  const isAhead = !isLive && startMs > Date.now();
  return (
    <li>
      <a className={classes.card} href={`/watch/${playback}`}>
        <span className={classes.picture}>
          {picture !== '' && <img src={picture} alt="" loading="lazy" />}
          <span className={player.badges}>
            {isLive && <span className={player.live}>{t('watch.live')}</span>}
            {isLive && viewers !== undefined && viewers > 0 && (
              <span className={player.badge}>
                <IconEye size={16} aria-hidden />
                <span aria-hidden>{viewers}</span>
                <span className={player.hidden}>{t('watch.watching', { count: viewers })}</span>
              </span>
            )}
          </span>
        </span>
        <b>{title || t('watch.channel.untitled')}</b>
        <span className={classes.when}>
          {isAhead
            ? t('watch.channel.starts', { when: formatDay(startMs, Date.now(), locale) })
            : isLive
              ? ''
              : t('watch.notLive')}
        </span>
      </a>
    </li>
  );
}

startViewer((data) => (data.kind === 'channel' ? <ChannelPage initial={data.channel} /> : <UnknownPage data={data} />));
