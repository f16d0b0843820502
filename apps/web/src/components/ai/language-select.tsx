import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { languagesQuery } from './ai-queries.ts';

interface LanguageSelectProps {
  label: string;
  help: string;
  /** What no choice means. */
  none: string;
  /** A code; empty: none. */
  value: string;
  onChange: (code: string) => void;
}

/** The language that somebody speaks. One that is not in the list, because a script set it, stays. */
export function LanguageSelect({ label, help, none, value, onChange }: LanguageSelectProps) {
  const { data } = useQuery(languagesQuery);
  const languages = data?.languages ?? [];
  const isListed = value === '' || languages.some(({ code }) => code === value);
  return (
    <NativeSelect
      size="md"
      label={label}
      description={help}
      data={[
        { value: '', label: none },
        ...languages.map(({ code, name }) => ({ value: code, label: `${name} (${code})` })),
        ...(isListed ? [] : [{ value, label: value }]),
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
