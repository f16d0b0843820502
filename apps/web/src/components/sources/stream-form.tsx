import { useMutation } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { sourceApi, streamUrlProblem } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client, isTransient } from '../../lib/api.ts';
import { type SourceFormProps, toSourceRef } from './source-form.ts';
import { useSourceProblemText } from './source-refusal.tsx';
import { TypedSource } from './typed-source.tsx';

/** Registers a URL with the server before it is probed. */
type PrepareStream = (url: string) => Promise<{ name: string; uuid: string; target: string }>;

const prepareHere: PrepareStream = (url) => client.call(sourceApi.streamUrl, { url });

interface StreamFormProps extends SourceFormProps {
  prepare?: PrepareStream;
  help?: string;
  example?: string;
}

/** Picks a live stream from another server. */
export function StreamForm({ isBusy, onPick, prepare = prepareHere, help, example }: StreamFormProps) {
  const { t } = useTranslation();
  const [url, setUrl] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const problemText = useSourceProblemText();
  const send = useMutation({
    mutationFn: prepare,
    onSuccess: (prepared, typed) => onPick(toSourceRef(prepared, 'stream', typed)).catch(() => undefined),
    meta: { handles: (error) => error instanceof ApiError && !isTransient(error) },
  });
  const problem = streamUrlProblem(url);
  const problems = {
    missing: t('plat.tool.stream3'),
    scheme: t('plat.tool.stream2'),
    suffix: t('plat.tool.stream4'),
    invalid: t('source.urlInvalid'),
  };
  const refusal = send.error instanceof ApiError ? problemText(send.error) : undefined;
  return (
    <TypedSource
      label={t('source.streamUrl')}
      placeholder={example ?? 'rtmp://example.com/live/livestream'}
      help={help ?? t('source.streamHelp')}
      value={url}
      onChange={(value) => {
        send.reset();
        setUrl(value);
      }}
      error={isChecked && problem ? problems[problem] : refusal}
      action={t('source.use')}
      isBusy={isBusy || send.isPending}
      onSubmit={() => {
        setIsChecked(true);
        if (!problem) send.mutate(url.trim());
      }}
    />
  );
}
