import { Text } from '@mantine/core';
import type { ContactLinks } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/ui/section.tsx';
import { type Freshness, StaleChip } from '../../components/ui/stale-chip.tsx';
import classes from './contact.module.css';
import { OutsideLink } from './outside-link.tsx';

export const listFields = ['chat', 'social', 'source'] as const;

/** Where to find people, as a plain list: every language but Chinese. */
export function LinkList({ links, freshness }: { links: ContactLinks; freshness: Freshness }) {
  const { t } = useTranslation();
  return (
    <Section title={t('contact.people')} help={t('contact.peopleHelp')} state={<StaleChip {...freshness} />}>
      <ul className={classes.links}>
        {listFields.map((field) => (
          <li key={field} className={classes.link}>
            {links[field] === '' ? (
              <Text size="sm" fw={600}>
                {t(`contact.${field}.name`)}{' '}
                <Text span inherit fw={400} c="dimmed">
                  ({t('contact.unset')})
                </Text>
              </Text>
            ) : (
              <OutsideLink href={links[field]}>{t(`contact.${field}.name`)}</OutsideLink>
            )}
            <Text size="sm" c="dimmed">
              {t(`contact.${field}.text`)}
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  );
}
