import { ActionIcon, SegmentedControl, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconDeviceDesktop, IconMoon, IconSun } from './icons.ts';
import classes from './theme-switch.module.css';

const icons = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon } as const;
const after = { auto: 'light', light: 'dark', dark: 'auto' } as const;

function useSchemeNames() {
  const { t } = useTranslation();
  return { auto: t('shell.themeAuto'), light: t('shell.themeLight'), dark: t('shell.themeDark') };
}

export function ThemeSwitch() {
  const { t } = useTranslation();
  const names = useSchemeNames();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('shell.theme')}
      data={(['auto', 'light', 'dark'] as const).map((value) => ({
        value,
        label: <Choice icon={icons[value]} name={names[value]} />,
      }))}
      value={colorScheme}
      transitionDuration={0}
      onChange={setColorScheme}
    />
  );
}

function Choice({ icon: Mark, name }: { icon: Icon; name: string }) {
  return (
    <span className={classes.choice} title={name}>
      <Mark size={16} aria-hidden />
      <VisuallyHidden>{name}</VisuallyHidden>
    </span>
  );
}

/** The same in the place of one icon: each press goes on to the next theme. */
export function ThemeButton() {
  const { t } = useTranslation();
  const names = useSchemeNames();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Mark = icons[colorScheme];
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
