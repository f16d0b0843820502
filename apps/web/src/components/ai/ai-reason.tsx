import { Anchor } from '@mantine/core';
import type { AiCause } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { Notice } from '../ui/feedback/notice.tsx';

/** Causes that the AI settings can fix. */
const settledThere: readonly AiCause[] = ['no-provider', 'limit-reached', 'unsupported-language', 'local-failed'];

/** Explains a missing AI answer, its effect here, and the remedy. */
export function AiReason({ cause, tone, children }: { cause: AiCause; tone: 'warn' | 'bad'; children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Notice tone={tone} title={t(`ai.why.${cause}`)}>
      <p>
        {t(`ai.remedy.${cause}`)} {settledThere.includes(cause) && <AiSettingsLink />}
      </p>
      {children}
    </Notice>
  );
}

/** Link to the page where providers and built-in AI are set up. */
export function AiSettingsLink() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <Anchor component={Link} to={localPath(`${paths.settings}?tab=llm`)} inherit>
      {t('ai.settings')}
    </Anchor>
  );
}
