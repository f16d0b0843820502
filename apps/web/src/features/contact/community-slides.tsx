import { Anchor, Group, Text, Title } from '@mantine/core';
import { type ContactLinks, isContactLink } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Carousel } from '../../components/ui/layout/carousel.tsx';
import { IconExternalLink } from '../../components/ui/theme/icons.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import classes from './contact.module.css';

export const slideFields = ['group', 'video', 'community'] as const;

/** Group invitation and community for Chinese readers. Slides without a link promise nothing. */
export function CommunitySlides({ links }: { links: ContactLinks }) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const guide = `${localPath(paths.scenario)}?tab=live`;
  return (
    <Carousel
      label={t('contact.people')}
      slides={[
        {
          key: 'group',
          title: t('contact.group.title'),
          content: (
            <Caption
              drawing={<TalkDrawing />}
              title={t('contact.group.title')}
              text={links.group === '' ? t('contact.group.none') : t('contact.group.text')}
            >
              <ContactLink href={links.group}>{t('contact.group.link')}</ContactLink>
              {links.video === '' ? (
                <Anchor component={Link} to={guide} size="sm" fw={600}>
                  {t('contact.video.guide')}
                </Anchor>
              ) : (
                <ContactLink href={links.video}>{t('contact.video.link')}</ContactLink>
              )}
            </Caption>
          ),
        },
        {
          key: 'community',
          title: t('contact.community.title'),
          content: (
            <Caption
              drawing={<HarbourDrawing />}
              title={t('contact.community.title')}
              text={links.community === '' ? t('contact.community.none') : t('contact.community.text')}
            >
              <ContactLink href={links.community}>{t('contact.community.link')}</ContactLink>
            </Caption>
          ),
        },
      ]}
    />
  );
}

interface CaptionProps {
  drawing: ReactNode;
  title: string;
  text: string;
  children: ReactNode;
}

function Caption({ drawing, title, text, children }: CaptionProps) {
  return (
    <div className={classes.slide}>
      {drawing}
      <div className={classes.caption}>
        <Title order={2}>{title}</Title>
        <Text size="sm" mt={4}>
          {text}
        </Text>
        <Group gap="lg" mt="sm">
          {children}
        </Group>
      </div>
    </div>
  );
}

/** Decoration twice as wide as high; the caption says everything. */
function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg className={classes.drawing} viewBox="0 0 1296 648" aria-hidden="true">
      {children}
    </svg>
  );
}

const accent = 'var(--mantine-color-water-7)';
const light = 'var(--mantine-color-water-3)';
const paper = 'var(--mantine-color-water-0)';

function TalkDrawing() {
  return (
    <Drawing>
      <Water />
      <path
        d="M150 130h330a36 36 0 0 1 36 36v120a36 36 0 0 1-36 36H262l-70 62v-62h-42a36 36 0 0 1-36-36V166a36 36 0 0 1 36-36z"
        fill={accent}
      />
      <g fill="#fff">
        <circle cx="236" cy="226" r="20" />
        <circle cx="315" cy="226" r="20" />
        <circle cx="394" cy="226" r="20" />
      </g>
      <path
        d="M640 70h420a36 36 0 0 1 36 36v196a36 36 0 0 1-36 36h-36v70l-84-70H640a36 36 0 0 1-36-36V106a36 36 0 0 1 36-36z"
        fill={paper}
        stroke={accent}
        strokeWidth="10"
      />
      <path d="M804 138v134l116-67z" fill={accent} />
      <path
        d="M516 392h190a28 28 0 0 1 28 28v56a28 28 0 0 1-28 28h-92l-48 42v-42h-50a28 28 0 0 1-28-28v-56a28 28 0 0 1 28-28z"
        fill={light}
      />
      <path d="M530 434h150M530 466h96" stroke={paper} strokeWidth="12" strokeLinecap="round" />
    </Drawing>
  );
}

function HarbourDrawing() {
  return (
    <Drawing>
      <path d="M350 168 1296 40v250z" fill={light} opacity="0.35" />
      <path d="M286 168 0 96v150z" fill={light} opacity="0.35" />
      <Water />
      <path d="M272 210h92l34 330H238z" fill={paper} stroke={accent} strokeWidth="10" strokeLinejoin="round" />
      <path d="M264 300h108l8 74H256zM248 448h140l8 74H240z" fill={accent} />
      <path d="M276 130h84v80h-84z" fill={light} stroke={accent} strokeWidth="10" />
      <path d="M262 132 318 78l56 54z" fill={accent} />
      <Boat x={620} y={430} size={1} />
      <Boat x={860} y={380} size={0.7} />
      <Boat x={1010} y={440} size={1.15} />
    </Drawing>
  );
}

function Boat({ x, y, size }: { x: number; y: number; size: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size})`}>
      <path d="M60-120V36" stroke={accent} strokeWidth="8" />
      <path d="M72-116v118h78z" fill={paper} stroke={accent} strokeWidth="8" strokeLinejoin="round" />
      <path d="M48-86v88H0z" fill={light} />
      <path d="M-20 36h170l-32 56H14z" fill={accent} />
    </g>
  );
}

function Water() {
  return (
    <>
      <path d="M0 524c108-44 216-44 324 0s216 44 324 0 216-44 324 0 216 44 324 0v124H0z" fill={light} opacity="0.55" />
      <path d="M0 576c108-36 216-36 324 0s216 36 324 0 216-36 324 0 216 36 324 0v72H0z" fill={accent} opacity="0.8" />
    </>
  );
}

/** Link to another site. It opens a new tab and sends no referrer. */
export function ContactLink({ href, children }: { href: string; children: ReactNode }) {
  if (!isContactLink(href)) return null;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" size="sm" fw={600}>
      {children} <IconExternalLink size={14} aria-hidden style={{ verticalAlign: '-2px' }} />
    </Anchor>
  );
}
