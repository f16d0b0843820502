import { Anchor, VisuallyHidden } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { queryOptions, useQueries } from '@tanstack/react-query';
import { type TutorialVideo, tutorialLimits, tutorialsApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { client } from '../../lib/api.ts';
import { useLocale } from '../../lib/i18n.ts';
import { IconExternalLink } from '../ui/theme/icons.ts';
import { IconBilibili, IconEye, IconMedium, IconShare, IconThumbUp, IconYoutube } from './icons.ts';
import {
  selectArticles,
  selectVideos,
  type TutorialMedia,
  type TutorialSet,
  type Video,
  videoLink,
} from './tutorial-list.ts';
import classes from './tutorials.module.css';

// Bundled icons: loading a site's logo would tell it who opens this page.
const logos = { bilibili: IconBilibili, youtube: IconYoutube, medium: IconMedium } as const;

function TutorialCard({ tutorial }: { tutorial: Tutorial }) {
  const { t } = useTranslation();
  const { media, title, author, desc, link, counts, id } = tutorial;
  const Logo = logos[media];
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <Logo size={18} aria-hidden />
        <span>{t(`tutorials.media.${media}`)}</span>
        {counts && (
          <span className={classes.counts}>
            <Count mark={IconEye} label={t('tutorials.view')} value={counts.view} />
            <Count mark={IconThumbUp} label={t('tutorials.like')} value={counts.like} />
            <Count mark={IconShare} label={t('tutorials.share')} value={counts.share} />
          </span>
        )}
      </div>
      <h3 className={classes.title}>
        <Anchor href={link} target="_blank" rel="noopener noreferrer" inherit underline="hover">
          {title}
          {'\u00a0'}
          <IconExternalLink size={14} aria-hidden className={classes.outside} />
        </Anchor>
      </h3>
      <p className={classes.desc} title={desc}>
        {desc}
      </p>
      <p className={classes.author}>
        {t('tutorials.author', { author })}
        {id !== undefined && ` · ${id}`}
      </p>
    </li>
  );
}

function Count({ mark: Mark, label, value }: { mark: Icon; label: string; value: number }) {
  const locale = useLocale();
  // A site that hides a count answers zero.
  if (value === 0) return null;
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
  return (
    <span className={classes.count} title={`${label} ${value}`}>
      <Mark size={14} aria-hidden />
      <VisuallyHidden>{label}</VisuallyHidden> {short}
    </span>
  );
}

export function TutorialCards({ set }: { set: TutorialSet }) {
  const tutorials = useTutorials(set);
  return (
    <ul className={classes.cards}>
      {tutorials.map((tutorial) => (
        <TutorialCard key={tutorial.link} tutorial={tutorial} />
      ))}
    </ul>
  );
}

/** Counts are optional: without them the card shows none, and they are not requested again until the next visit. */
const videoQuery = (bvid: string) =>
  queryOptions({
    queryKey: ['tutorials', bvid],
    queryFn: ({ signal }) => client.call(tutorialsApi.video, { bvid }, { signal }),
    staleTime: ({ state }) => (state.data ? tutorialLimits.freshMs : 0),
    retry: false,
    meta: { quiet: true },
  });

interface Tutorial {
  readonly link: string;
  readonly media: TutorialMedia;
  readonly title: string;
  readonly author: string;
  readonly desc: string;
  /** Videos only, if their site answers. */
  readonly counts?: TutorialVideo['stat'] | undefined;
  /** Tells apart videos of unknown title. */
  readonly id?: string | undefined;
}

/** Tutorials in the current language: articles in their order, videos by views. */
function useTutorials(set: TutorialSet): Tutorial[] {
  const { t } = useTranslation();
  const isChinese = useLocale() === 'zh';
  const videos = isChinese ? selectVideos(set) : [];
  const facts = useQueries({ queries: videos.map(({ bvid }) => videoQuery(bvid)) });
  const ofVideo = (video: Video, known: TutorialVideo | null | undefined): Tutorial => ({
    link: videoLink(video),
    media: video.media,
    author: video.author,
    title: known?.title || t(`tutorials.video.${video.topic}`),
    desc: meaningful(known?.desc) ?? t(`tutorials.about.${video.topic}`),
    counts: known?.stat,
    id: known ? undefined : video.bvid,
  });
  if (isChinese) return numberAlike(byViews(videos.map((video, index) => ofVideo(video, facts[index]?.data))));
  return selectArticles(set).map(({ topic, ...article }) => ({ ...article, desc: t(`tutorials.about.${topic}`) }));
}

/** Videos without a view count come last in their order. */
function byViews(tutorials: readonly Tutorial[]): Tutorial[] {
  return [...tutorials].sort((a, b) => (b.counts?.view ?? -1) - (a.counts?.view ?? -1));
}

/** Titles that several videos share get a number. */
function numberAlike(tutorials: readonly Tutorial[]): Tutorial[] {
  const same = (title: string, list: readonly Tutorial[]) => list.filter((each) => each.title === title).length;
  return tutorials.map((tutorial, index) => {
    const { title } = tutorial;
    if (same(title, tutorials) === 1) return tutorial;
    return { ...tutorial, title: `${title}（${same(title, tutorials.slice(0, index)) + 1}）` };
  });
}

/** Many videos have a dash as description. */
function meaningful(desc: string | undefined): string | undefined {
  const text = desc?.trim() ?? '';
  return text.length > 1 ? text : undefined;
}
