import { NativeSelect, TextInput } from '@mantine/core';
import { talkLimits } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../lib/i18n.ts';

interface Identity {
  readonly name: string;
  readonly language: string;
}

interface IdentityFieldsProps {
  identity: Identity;
  onChange: (identity: Identity) => void;
}

export function IdentityFields({ identity, onChange }: IdentityFieldsProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  return (
    <>
      <TextInput
        label={t('talk.name')}
        description={t('talk.nameHelp')}
        placeholder={t('talk.you')}
        value={identity.name}
        maxLength={talkLimits.nameCharacters}
        autoComplete="nickname"
        onChange={(event) => onChange({ ...identity, name: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('talk.language')}
        description={t('talk.languageHelp')}
        value={identity.language}
        data={languageChoices(locale, identity.language)}
        onChange={(event) => onChange({ ...identity, language: event.currentTarget.value })}
      />
    </>
  );
}

/** Offered languages; a link or a room may name another one. */
const offered = ['en', 'zh', 'fr', 'de', 'ja', 'ru'];

interface Choice {
  readonly value: string;
  readonly label: string;
}

function languageChoices(locale: string, ...also: readonly string[]): Choice[] {
  const codes = [...new Set([...offered, ...also.filter((code) => code !== '')])];
  return codes.map((value) => ({ value, label: languageName(value, locale) }));
}

/** `English`; unknown codes stay as they are. */
export function languageName(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}
