import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { languagesQuery } from './ai-queries.ts';

interface LanguageSelectProps {
  label: string;
  help: string;
  /** Label of the empty choice. */
  none: string;
  /** Language code; empty for none. */
  value: string;
  onChange: (code: string) => void;
}

/** Spoken language. A value outside the list (set by a script) stays selectable. */
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
