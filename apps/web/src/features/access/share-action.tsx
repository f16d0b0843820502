import { Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AccessRule, accessApi } from '@weir/contract';
import { globPath, placeText, streamLabel, type WirePlace } from '@weir/streams';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FeatureParts } from '../../components/feature-parts.tsx';
import { ActionTile } from '../../components/streams/action-tile.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { SideSheet } from '../../components/ui/layout/side-sheet.tsx';
import { IconShare } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { useEngineLacks } from '../../lib/queries/use-engine-lacks.ts';
import classes from './access.module.css';
import { accessKey, accessRulesQuery } from './access-queries.ts';
import { LinksSection } from './links-section.tsx';
import {
  blankRule,
  findRuleProblems,
  isUnconditional,
  type RuleDraft,
  toRuleChange,
  toRuleDraft,
} from './rule-draft.ts';
import { RuleFields, SaveFailure } from './rule-fields.tsx';
import { RuleSheet } from './rule-sheet.tsx';
import { findStreamRule } from './stream-rule.ts';
import { useRuleText } from './use-rule-text.ts';

/** Says who can watch the stream, and opens the sheet that changes it. */
export function ShareAction({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const lacksAccess = useEngineLacks('access');
  const { data: rules } = useQuery({ ...accessRulesQuery, enabled: !lacksAccess });
  if (!rules && !lacksAccess) return null;
  const { own, wider } = findStreamRule(rules ?? [], stream);
  // The caller may pass all it knows of a live stream, and calls of this feature take a place only.
  const place = { vhost: stream.vhost, app: stream.app, stream: stream.stream };
  const mode = (own ?? wider)?.mode ?? 'open';
  return (
    <>
      <ActionTile
        icon={IconShare}
        title={t('access.share')}
        detail={t(`access.short.${mode}`)}
        onPress={() => setIsOpen(true)}
      />
      <ShareSheet key={placeText(place)} stream={place} opened={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}

interface ShareSheetProps {
  stream: WirePlace;
  opened: boolean;
  onClose: () => void;
}

/** Sheet for sharing one stream: who can watch, links, and parts of other features. */
function ShareSheet({ stream, opened, onClose }: ShareSheetProps) {
  const { t } = useTranslation();
  const lacksAccess = useEngineLacks('access');
  return (
    <SideSheet opened={opened} onClose={onClose} title={t('access.shareTitle', { name: streamLabel(stream) })}>
      <div className={classes.sections}>
        <FeatureParts slot="shareSection" props={{ stream }} />
        <SheetSection title={t('access.who.title')}>
          {lacksAccess ? <Notice tone="info" title={t('access.lacks')} /> : <WhoCanWatch stream={stream} />}
        </SheetSection>
        {!lacksAccess && (
          <SheetSection title={t('access.links.title')}>
            <LinksSection stream={stream} />
          </SheetSection>
        )}
      </div>
    </SideSheet>
  );
}

function SheetSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.section}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

/** The rule of one stream: its own, the wider one that it follows, or none. */
function WhoCanWatch({ stream }: { stream: WirePlace }) {
  const { data: rules } = useQuery(accessRulesQuery);
  const [isOwn, setIsOwn] = useState(false);
  if (!rules) return <PageSkeleton />;
  const { own, wider } = findStreamRule(rules, stream);
  if (!own && wider && !isOwn) return <FollowedRule rule={wider} onOwn={() => setIsOwn(true)} />;
  return (
    <OwnRule
      // Another administrator may have changed it.
      key={JSON.stringify(own)}
      pattern={globPath(stream)}
      own={own}
      wider={wider}
      onLeft={() => setIsOwn(false)}
    />
  );
}

function FollowedRule({ rule, onOwn }: { rule: AccessRule; onOwn: () => void }) {
  const { t } = useTranslation();
  const ruleText = useRuleText();
  const [isEdited, setIsEdited] = useState(false);
  return (
    <div className={classes.followed}>
      <p className={classes.strong}>{ruleText(rule)}</p>
      <p className={classes.muted}>{t('access.who.follows', { pattern: rule.pattern })}</p>
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={onOwn}>
          {t('access.who.ownRule')}
        </Button>
        <Button variant="default" size="xs" onClick={() => setIsEdited(true)}>
          {t('access.who.editRule', { pattern: rule.pattern })}
        </Button>
      </Group>
      {isEdited && <RuleSheet rule={rule} onClose={() => setIsEdited(false)} />}
    </div>
  );
}

interface OwnRuleProps {
  pattern: string;
  own: AccessRule | undefined;
  wider: AccessRule | undefined;
  /** The stream follows the wider rule again. */
  onLeft: () => void;
}

function OwnRule({ pattern, own, wider, onLeft }: OwnRuleProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const saved = own ? toRuleDraft(own) : { ...blankRule, pattern };
  const [draft, setDraft] = useState<RuleDraft>(saved);
  const [isChecked, setIsChecked] = useState(false);
  const refresh = () => queries.invalidateQueries({ queryKey: accessKey });
  const save = useMutation({
    mutationFn: async () => {
      const change = toRuleChange(draft, own?.id);
      if (own && !wider && isUnconditional(change)) await client.call(accessApi.remove, { id: own.id });
      else await client.call(accessApi.save, change);
    },
    meta: { handles: () => true },
    onSuccess: () => {
      notify.success(t('access.saved'));
      return refresh();
    },
  });
  const remove = useMutation({
    mutationFn: (id: string) => client.call(accessApi.remove, { id }),
    onSuccess: () => {
      notify.success(t('access.rules.removed'));
      onLeft();
      return refresh();
    },
  });
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved);
  const problems = isChecked ? findRuleProblems(draft, own) : new Set<never>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (findRuleProblems(draft, own).size === 0 && !save.isPending) save.mutate();
  };
  return (
    <form noValidate onSubmit={submit} className={classes.form}>
      {wider && <p className={classes.muted}>{t('access.who.overrides', { pattern: wider.pattern })}</p>}
      <RuleFields
        draft={draft}
        stored={own}
        problems={problems}
        onChange={(change) => setDraft({ ...draft, ...change })}
      />
      {save.error && <SaveFailure error={save.error} />}
      {(isChanged || own || wider) && (
        <Group gap="xs">
          {(isChanged || (wider && !own)) && (
            <Button type="submit" loading={save.isPending}>
              {t('helper.update')}
            </Button>
          )}
          {isChanged && (
            <Button variant="default" onClick={() => setDraft(saved)}>
              {t('helper.discard')}
            </Button>
          )}
          {own && !isChanged && (
            <Button variant="default" size="xs" loading={remove.isPending} onClick={() => remove.mutate(own.id)}>
              {wider ? t('access.who.follow', { pattern: wider.pattern }) : t('access.rules.remove')}
            </Button>
          )}
          {!own && wider && (
            <Button variant="default" onClick={onLeft}>
              {t('helper.cancel')}
            </Button>
          )}
        </Group>
      )}
    </form>
  );
}
