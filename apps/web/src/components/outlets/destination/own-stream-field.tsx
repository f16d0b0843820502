import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface OwnStreamFieldProps {
  name: string;
  problem: string | undefined;
  onChange: (name: string) => void;
}

/** Stream name on this server, which is all that is needed to push there. */
export function OwnStreamField({ name, problem, onChange }: OwnStreamFieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('plat.com.ownName')}
      description={t('plat.com.ownNameTip', { stream: `live/${name.trim() || '…'}` })}
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      maxLength={200}
      value={name}
      error={problem}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
