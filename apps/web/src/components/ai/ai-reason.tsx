import { Anchor } from '@mantine/core';
import type { AiCause } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { Notice } from '../ui/feedback/notice.tsx';

/** Those that the settings of AI can end. */
const settledThere: readonly AiCause[] = ['no-provider', 'limit-reached', 'unsupported-language', 'local-failed'];

/** Why AI does not answer, what that means here, and what to do. */
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

/** To the page where a provider is set and built-in AI is installed. */
export function AiSettingsLink() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <Anchor component={Link} to={localPath(`${paths.settings}?tab=llm`)} inherit>
      {t('ai.settings')}
    </Anchor>
  );
}
