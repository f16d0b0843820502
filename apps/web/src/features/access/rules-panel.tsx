import { ActionIcon, Button, Menu } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AccessRule, accessApi } from '@weir/contract';
import { defaultVhost } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StreamLink } from '../../components/streams/stream-link.tsx';
import { RowList, RuleRow } from '../../components/ui/facts/row-list.tsx';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { IconDots, IconPlus } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { useEngineLacks } from '../../lib/queries/use-engine-lacks.ts';
import classes from './access.module.css';
import { accessKey, accessRulesQuery } from './access-queries.ts';
import { RuleSheet } from './rule-sheet.tsx';
import { isPattern } from './stream-rule.ts';
import { useRuleText } from './use-rule-text.ts';

/** Rules that decide who may watch which streams: those of single streams, then patterns in the order in which they decide. */
export function RulesPanel() {
  const { t } = useTranslation();
  const lacksAccess = useEngineLacks('access');
  const query = useQuery({ ...accessRulesQuery, enabled: !lacksAccess });
  const [edited, setEdited] = useState<AccessRule | 'new'>();
  const rules = query.data;
  const streams = rules?.filter(({ pattern }) => !isPattern(pattern)) ?? [];
  const patterns = rules?.filter(({ pattern }) => isPattern(pattern)) ?? [];
  const add = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      variant={rules?.length === 0 ? 'default' : 'filled'}
      onClick={() => setEdited('new')}
    >
      {t('access.rules.add')}
    </Button>
  );
  const hasRules = rules !== undefined && rules.length > 0;
  return (
    <Section
      title={t('access.rules.title')}
      help={t('access.rules.help')}
      anchor="play-access"
      state={query.failureCount > 0 ? <StaleChip {...query} /> : hasRules && add}
    >
      {lacksAccess && <Notice tone="info" title={t('access.lacks')} />}
      {!rules && !lacksAccess && <PageSkeleton />}
      {rules?.length === 0 && (
        <EmptyState title={t('access.rules.none')} text={t('access.rules.noneText')}>
          <div className={classes.first}>{add}</div>
        </EmptyState>
      )}
      {hasRules && (
        <>
          <RowList label={t('access.rules.title')}>
            {[...streams, ...patterns].map((rule) => (
              <RuleItem key={rule.id} rule={rule} patterns={patterns} onEdit={() => setEdited(rule)} />
            ))}
          </RowList>
          <p className={classes.muted}>{t('access.rules.precedence')}</p>
        </>
      )}
      {!lacksAccess && <SigningKey />}
      {edited && <RuleSheet rule={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
    </Section>
  );
}

interface RuleItemProps {
  rule: AccessRule;
  /** In the order in which they decide. */
  patterns: readonly AccessRule[];
  onEdit: () => void;
}

function RuleItem({ rule, patterns, onEdit }: RuleItemProps) {
  const { t } = useTranslation();
  const ruleText = useRuleText();
  const [isAsked, setIsAsked] = useState(false);
  const { order, remove } = useRuleActions(() => setIsAsked(false));
  const { id, pattern } = rule;
  const place = patterns.findIndex((one) => one.id === id);
  const move = (by: 1 | -1) => {
    const ids = patterns.map((one) => one.id);
    ids.splice(place, 1);
    ids.splice(place + by, 0, id);
    order.mutate(ids);
  };
  const slash = pattern.lastIndexOf('/');
  const stream = { vhost: defaultVhost, app: pattern.slice(1, slash), stream: pattern.slice(slash + 1) };
  return (
    <RuleRow name={pattern} text={ruleText(rule)} onOpen={onEdit}>
      <div className={classes.kind}>
        {place >= 0 ? (
          t('access.rules.order', { place: place + 1 })
        ) : (
          <StreamLink stream={stream}>{t('access.rules.openStream')}</StreamLink>
        )}
      </div>
      <Menu position="bottom-end" transitionProps={{ duration: 100 }}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={34} aria-label={t('access.rules.more', { pattern })}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onEdit}>{t('access.edit')}</Menu.Item>
          {place > 0 && <Menu.Item onClick={() => move(-1)}>{t('access.rules.up')}</Menu.Item>}
          {place >= 0 && place < patterns.length - 1 && (
            <Menu.Item onClick={() => move(1)}>{t('access.rules.down')}</Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => setIsAsked(true)}>
            {t('access.rules.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={isAsked}
        title={t('access.rules.removeTitle', { pattern })}
        text={t('access.rules.removeText')}
        action={t('access.rules.remove')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(id)}
        onClose={() => setIsAsked(false)}
      />
    </RuleRow>
  );
}

function useRuleActions(onRemoved: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: accessKey });
  const order = useMutation({
    mutationFn: (ids: string[]) => client.call(accessApi.order, { ids }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (id: string) => client.call(accessApi.remove, { id }),
    onSuccess: () => notify.success(t('access.rules.removed')),
    onSettled: () => {
      onRemoved();
      return refresh();
    },
  });
  return { order, remove };
}

/** Replaces the key that signs links. */
function SigningKey() {
  const { t } = useTranslation();
  const [isAsked, setIsAsked] = useState(false);
  const rotate = useMutation({
    mutationFn: () => client.call(accessApi.rotateKey, {}),
    onSuccess: () => notify.success(t('access.key.rotated')),
    onSettled: () => setIsAsked(false),
  });
  return (
    <div className={classes.key}>
      <span className={classes.muted}>{t('access.key.help')}</span>
      <Button variant="default" size="xs" onClick={() => setIsAsked(true)}>
        {t('access.key.rotate')}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        title={t('access.key.askTitle')}
        text={t('access.key.askText')}
        action={t('access.key.rotate')}
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate()}
        onClose={() => setIsAsked(false)}
      />
    </div>
  );
}
