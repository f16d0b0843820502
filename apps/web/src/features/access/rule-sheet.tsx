import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type AccessRule, accessApi, accessLimits } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { FormSheet } from '../../components/ui/fields/form-sheet.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { useDraft } from '../../lib/use-draft.ts';
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
  const queries = useQueryClient();
  const { draft, edit, problems, check } = useDraft({
    initial: (): RuleDraft => (rule ? toRuleDraft(rule) : { ...blankRule, mode: 'link' }),
    problemsOf: (edited) => findRuleProblems(edited, rule),
  });
  const save = useMutation({
    mutationFn: () => client.call(accessApi.save, toRuleChange(draft, rule?.id)),
    meta: { handles: () => true },
    onSuccess: () => {
      notify.success(t('access.saved'));
      onClose();
      return queries.invalidateQueries({ queryKey: accessKey });
    },
  });
  return (
    <FormSheet
      title={rule ? t('access.rules.editTitle', { pattern: rule.pattern }) : t('access.rules.add')}
      isBusy={save.isPending}
      onSubmit={() => check() && !save.isPending && save.mutate()}
      onClose={onClose}
    >
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
    </FormSheet>
  );
}
