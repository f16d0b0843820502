import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PlayLink } from '@weir/contract';
import type { WirePlace } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { IconPlus } from '../../components/ui/theme/icons.ts';
import classes from './access.module.css';
import { accessRulesQuery, linksQuery } from './access-queries.ts';
import { LinkForm } from './link-form.tsx';
import { LinkItem } from './link-item.tsx';
import { findStreamRule } from './stream-rule.ts';

/** Signed links to a stream: those that work or will work, then those that are over. */
export function LinksSection({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const query = useQuery(linksQuery(stream));
  const { data: rules = [] } = useQuery(accessRulesQuery);
  const [isMaking, setIsMaking] = useState(false);
  /** Link whose URLs are shown. */
  const [shown, setShown] = useState('');
  const links = query.data;
  if (!links) return <PageSkeleton />;
  const { own, wider } = findStreamRule(rules, stream);
  const mode = (own ?? wider)?.mode ?? 'open';
  const current = links.filter(({ state }) => state === 'valid' || state === 'waiting');
  const over = links.filter(({ state }) => state === 'expired' || state === 'revoked');
  const itemOf = (link: PlayLink) => (
    <LinkItem
      key={link.id}
      link={link}
      isOpen={shown === link.id}
      onToggle={() => setShown(shown === link.id ? '' : link.id)}
    />
  );
  return (
    <>
      <p className={classes.muted}>
        {t(
          mode === 'open'
            ? 'access.links.openHelp'
            : mode === 'callback'
              ? 'access.links.callbackHelp'
              : 'access.links.help',
        )}
      </p>
      {query.failureCount > 0 && <StaleChip {...query} />}
      {current.length > 0 && (
        <ul className={classes.list} aria-label={t('access.links.title')}>
          {current.map(itemOf)}
        </ul>
      )}
      {isMaking ? (
        <LinkForm
          stream={stream}
          onMade={(link) => {
            setIsMaking(false);
            setShown(link.id);
          }}
          onClose={() => setIsMaking(false)}
        />
      ) : (
        <div>
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsMaking(true)}>
            {t('access.links.make')}
          </Button>
        </div>
      )}
      {over.length > 0 && (
        <details className={classes.limits}>
          <summary>{t('access.links.over', { count: over.length })}</summary>
          <ul className={classes.list} aria-label={t('access.links.overTitle')}>
            {over.map(itemOf)}
          </ul>
        </details>
      )}
    </>
  );
}
