import { Anchor, Group, Text, Title } from '@mantine/core';
import type { ContactLinks } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Carousel } from '../../components/ui/layout/carousel.tsx';
import { paths, useLocalPath } from '../../lib/paths.ts';
import classes from './contact.module.css';
import { HarbourDrawing, TalkDrawing } from './drawings.tsx';
import { OutsideLink } from './outside-link.tsx';

export const slideFields = ['group', 'video', 'community'] as const;

/** Chinese readers meet in groups rather than on public sites: an invitation and a community. Without an address, nothing is promised. */
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
              <OutsideLink href={links.group}>{t('contact.group.link')}</OutsideLink>
              {links.video === '' ? (
                <Anchor component={Link} to={guide} size="sm" fw={600}>
                  {t('contact.video.guide')}
                </Anchor>
              ) : (
                <OutsideLink href={links.video}>{t('contact.video.link')}</OutsideLink>
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
              <OutsideLink href={links.community}>{t('contact.community.link')}</OutsideLink>
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
    <>
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
    </>
  );
}
