import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { accessApi, accessLimits, type PlayLink } from '@weir/contract';
import type { WirePlace } from '@weir/streams';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { IconPlus } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import classes from './access.module.css';
import { accessKey, accessRulesQuery, linksQuery } from './access-queries.ts';
import { blankLink, findLinkProblems, type LinkDraft, linkPeriods, toLinkChange } from './link-draft.ts';
import { LinkItem } from './link-item.tsx';
import { SaveFailure } from './rule-fields.tsx';
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

interface LinkFormProps {
  stream: WirePlace;
  onMade: (link: PlayLink) => void;
  onClose: () => void;
}

/** Makes a link. */
function LinkForm({ stream, onMade, onClose }: LinkFormProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<LinkDraft>(blankLink);
  const [isChecked, setIsChecked] = useState(false);
  const edit = (change: Partial<LinkDraft>) => setDraft((before) => ({ ...before, ...change }));
  const problems = isChecked ? findLinkProblems(draft, Date.now()) : new Set();
  const make = useMutation({
    mutationFn: () => client.call(accessApi.makeLink, { ...stream, ...toLinkChange(draft, Date.now()) }),
    meta: { handles: () => true },
    onSuccess: async (link) => {
      await queries.invalidateQueries({ queryKey: accessKey });
      onMade(link);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (findLinkProblems(draft, Date.now()).size === 0 && !make.isPending) make.mutate();
  };
  return (
    <form noValidate onSubmit={submit} className={classes.made} aria-label={t('access.links.make')}>
      <TextInput
        label={t('access.links.label')}
        description={t('access.links.labelHelp')}
        maxLength={accessLimits.labelCharacters}
        autoComplete="off"
        data-autofocus
        value={draft.label}
        onChange={(event) => edit({ label: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('access.links.period')}
        data={linkPeriods.map((value) => ({ value, label: t(`access.links.periods.${value}`) }))}
        value={draft.period}
        onChange={(event) => edit({ period: linkPeriods.find((one) => one === event.currentTarget.value) ?? 'week' })}
      />
      {draft.period === 'custom' && (
        <TextInput
          type="datetime-local"
          label={t('access.links.expires')}
          description={t('access.links.zone')}
          value={draft.expires}
          onChange={(event) => edit({ expires: event.currentTarget.value })}
          error={problems.has('expires') && t('access.links.expiresInvalid', { days: accessLimits.linkDays })}
        />
      )}
      <details className={classes.limits}>
        <summary>{t('access.links.more')}</summary>
        <div className={classes.form}>
          <TextInput
            type="datetime-local"
            label={t('access.links.starts')}
            description={t('access.links.startsHelp')}
            value={draft.starts}
            onChange={(event) => edit({ starts: event.currentTarget.value })}
            error={problems.has('starts') && t('access.links.startsInvalid')}
          />
          <TextInput
            label={t('access.links.devicesLabel')}
            description={t('access.links.devicesHelp')}
            placeholder={t('access.limits.any')}
            inputMode="numeric"
            autoComplete="off"
            value={draft.devices}
            onChange={(event) => edit({ devices: event.currentTarget.value })}
            error={problems.has('devices') && t('helper.wholeNumber', { least: 0, most: accessLimits.viewers })}
          />
          <TextInput
            label={t('access.links.address')}
            description={t('access.links.addressHelp')}
            autoComplete="off"
            spellCheck={false}
            value={draft.address}
            onChange={(event) => edit({ address: event.currentTarget.value })}
            error={problems.has('address') && t('access.links.addressInvalid')}
          />
        </div>
      </details>
      {make.error && <SaveFailure error={make.error} />}
      <Group gap="xs">
        <Button type="submit" loading={make.isPending}>
          {t('access.links.make')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('helper.cancel')}
        </Button>
      </Group>
    </form>
  );
}
