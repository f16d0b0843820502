import { useMutation } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { offeredExtensions, serverFileProblem, sourceApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client, isPassing } from '../../lib/api.ts';
import { useSourceProblemText } from './source-refusal.tsx';
import { refOf, type WayProps } from './take-source.ts';
import { TypedSource } from './typed-source.tsx';

/** A file that lies on the server already. */
export function ServerFileForm({ isBusy, take }: WayProps) {
  const { t } = useTranslation();
  const [file, setFile] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const problemText = useSourceProblemText();
  const prepare = useMutation({
    mutationFn: (path: string) => client.call(sourceApi.server, { file: path }),
    onSuccess: (prepared, path) => take(refOf(prepared, 'file', path)).catch(() => undefined),
    meta: { handles: (error) => error instanceof ApiError && !isPassing(error) },
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
