import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconDeviceDesktop, IconMoon, IconSun } from './icons.ts';

export const schemeIcons = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon } as const;
const after = { auto: 'light', light: 'dark', dark: 'auto' } as const;

export function useSchemeNames() {
  const { t } = useTranslation();
  return { auto: t('shell.themeAuto'), light: t('shell.themeLight'), dark: t('shell.themeDark') };
}

/** Button with one icon that switches to the next theme. */
export function ThemeButton() {
  const { t } = useTranslation();
  const names = useSchemeNames();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Mark = schemeIcons[colorScheme];
  const name = t('shell.themeNow', { name: names[colorScheme] });
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={32}
      aria-label={name}
      title={name}
      onClick={() => setColorScheme(after[colorScheme])}
    >
      <Mark size={18} stroke={1.7} aria-hidden />
    </ActionIcon>
  );
}
