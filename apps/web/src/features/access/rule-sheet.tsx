import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type AccessRule, accessApi, accessLimits } from '@weir/contract';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SideSheet } from '../../components/ui/layout/side-sheet.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import classes from './access.module.css';
import { accessKey } from './access-queries.ts';
import { blankRule, findRuleProblems, type RuleDraft, toRuleChange, toRuleDraft } from './rule-draft.ts';
import { RuleFields, SaveFailure } from './rule-fields.tsx';

interface RuleSheetProps {
  /** Undefined adds one. */
  rule: AccessRule | undefined;
  onClose: () => void;
}

/** Adds or edits the rule for a stream or pattern. */
export function RuleSheet({ rule, onClose }: RuleSheetProps) {
  const { t } = useTranslation();
  const formId = useId();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<RuleDraft>(() => (rule ? toRuleDraft(rule) : { ...blankRule, mode: 'link' }));
  const [isChecked, setIsChecked] = useState(false);
  const edit = (change: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...change }));
  const problems = isChecked ? findRuleProblems(draft, rule) : new Set<never>();
  const save = useMutation({
    mutationFn: () => client.call(accessApi.save, toRuleChange(draft, rule?.id)),
    meta: { handles: () => true },
    onSuccess: () => {
      notify.success(t('access.saved'));
      onClose();
      return queries.invalidateQueries({ queryKey: accessKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (findRuleProblems(draft, rule).size === 0 && !save.isPending) save.mutate();
  };
  return (
    <SideSheet
      opened
      onClose={onClose}
      title={rule ? t('access.rules.editTitle', { pattern: rule.pattern }) : t('access.rules.add')}
      footer={
        <>
          <Button type="submit" form={formId} loading={save.isPending}>
            {t('helper.update')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('helper.cancel')}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className={classes.form}>
        <TextInput
          label={t('access.rules.pattern')}
          description={t('access.rules.patternHelp')}
          placeholder="/live/*"
          maxLength={accessLimits.patternCharacters}
          autoComplete="off"
          spellCheck={false}
          value={draft.pattern}
          onChange={(event) => edit({ pattern: event.currentTarget.value })}
          error={(problems as ReadonlySet<string>).has('pattern') && t('access.rules.patternInvalid')}
        />
        <RuleFields draft={draft} stored={rule} problems={problems} onChange={edit} />
        {save.error && <SaveFailure error={save.error} />}
      </form>
    </SideSheet>
  );
}
