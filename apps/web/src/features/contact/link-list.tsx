import { Text } from '@mantine/core';
import type { ContactLinks } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { type Freshness, StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import classes from './contact.module.css';
import { OutsideLink } from './outside-link.tsx';

export const listFields = ['chat', 'social', 'source'] as const;

/** Where to find people, as a plain list: every language but Chinese. What has no address is not there. */
export function LinkList({ links, freshness }: { links: ContactLinks; freshness: Freshness }) {
  const { t } = useTranslation();
  const there = listFields.filter((field) => links[field] !== '');
  const help = there.length === 0 ? t('contact.noneHelp') : t('contact.peopleHelp');
  return (
    <Section title={t('contact.people')} help={help} state={<StaleChip {...freshness} />}>
      {there.length > 0 && (
        <ul className={classes.links}>
          {there.map((field) => (
            <li key={field} className={classes.link}>
              <OutsideLink href={links[field]}>{t(`contact.${field}.name`)}</OutsideLink>
              <Text size="sm" c="dimmed">
                {t(`contact.${field}.text`)}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
