import { useMutation } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { offeredExtensions, serverFileProblem, sourceApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client, isTransient } from '../../lib/api.ts';
import { type SourceFormProps, toSourceRef } from './source-form.ts';
import { useSourceProblemText } from './source-refusal.tsx';
import { TypedSource } from './typed-source.tsx';

/** Picks a file that is already on the server. */
export function ServerFileForm({ isBusy, onPick }: SourceFormProps) {
  const { t } = useTranslation();
  const [file, setFile] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const problemText = useSourceProblemText();
  const prepare = useMutation({
    mutationFn: (path: string) => client.call(sourceApi.server, { file: path }),
    onSuccess: (prepared, path) => onPick(toSourceRef(prepared, 'file', path)).catch(() => undefined),
    meta: { handles: (error) => error instanceof ApiError && !isTransient(error) },
  });
  const problem = serverFileProblem(file, offeredExtensions);
  const problems = {
    missing: t('plat.tool.fileMissing'),
    place: t('plat.tool.fileOutside'),
    extension: `${t('plat.tool.fileExtension')} ${offeredExtensions.join(' ')}`,
  };
  const refusal = prepare.error instanceof ApiError ? problemText(prepare.error) : undefined;
  return (
    <TypedSource
      label={t('source.path')}
      placeholder={t('plat.tool.fileExample')}
      help={t('source.pathHelp')}
      value={file}
      onChange={(value) => {
        prepare.reset();
        setFile(value);
      }}
      error={isChecked && problem ? problems[problem] : refusal}
      action={t('source.use')}
      isBusy={isBusy || prepare.isPending}
      onSubmit={() => {
        setIsChecked(true);
        if (!problem) prepare.mutate(file.trim());
      }}
    />
  );
}
