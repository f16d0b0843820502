import { NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RewindRule, rewindApi, rewindLimits } from '@weir/contract';
import { Glob } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { FormSheet } from '../../../components/ui/fields/form-sheet.tsx';
import { client } from '../../../lib/api.ts';
import { toErrorMessage } from '../../../lib/errors/error-message.ts';
import { formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { notify } from '../../../lib/notify.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { rewindKey } from './rewind-queries.ts';

interface RewindSheetProps {
  /** Undefined adds one. */
  rule: RewindRule | undefined;
  onClose: () => void;
}

type Draft = Pick<RewindRule, 'pattern' | 'windowSeconds'>;

const minute = 60;
const hour = 3600;
const offered = [10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour, 24 * hour];
const usual: Draft = { pattern: '/live/*', windowSeconds: 2 * hour };

/** Adds or edits how far viewers may go back in a stream or pattern. */
export function RewindSheet({ rule, onClose }: RewindSheetProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const queries = useQueryClient();
  const { draft, edit, problems, check } = useDraft({
    initial: (): Draft => (rule ? { pattern: rule.pattern, windowSeconds: rule.windowSeconds } : usual),
    problemsOf: findProblems,
  });
  const save = useMutation({
    mutationFn: () => client.call(rewindApi.save, { ...draft, ...(rule && { id: rule.id }) }),
    meta: { handles: () => true },
    onSuccess: () => {
      notify.success(t('helper.setOk'));
      onClose();
      return queries.invalidateQueries({ queryKey: rewindKey });
    },
  });
  const own = rule?.windowSeconds ?? 0;
  const windows = own > 0 && !offered.includes(own) ? [...offered, own].sort((a, b) => a - b) : offered;
  return (
    <FormSheet
      title={rule ? t('record.rewind.editTitle', { pattern: rule.pattern }) : t('record.rewind.add')}
      isBusy={save.isPending}
      onSubmit={() => check() && !save.isPending && save.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={t('record.rewind.pattern')}
        description={t('record.rewind.patternHelp')}
        placeholder="/live/*"
        maxLength={rewindLimits.patternCharacters}
        autoComplete="off"
        spellCheck={false}
        value={draft.pattern}
        onChange={(event) => edit({ pattern: event.currentTarget.value })}
        error={problems.has('pattern') && t('record.rewind.patternProblem')}
      />
      <NativeSelect
        label={t('record.rewind.window')}
        description={t('record.rewind.windowHelp')}
        value={draft.windowSeconds}
        onChange={(event) => edit({ windowSeconds: Number(event.currentTarget.value) })}
        data={[
          ...windows.map((seconds) => ({ value: String(seconds), label: formatDuration(seconds, locale) })),
          { value: '0', label: t('record.rewind.notBack') },
        ]}
      />
      {save.error && (
        <div role="alert">
          <Notice tone="bad" title={t('record.rewind.notSaved')}>
            <p>{toErrorMessage(save.error)}</p>
          </Notice>
        </div>
      )}
    </FormSheet>
  );
}

function findProblems({ pattern }: Draft): ReadonlySet<'pattern'> {
  const isBad = pattern.trim() === '' || typeof Glob.parse(pattern.trim()) === 'string';
  return new Set(isBad ? (['pattern'] as const) : []);
}
