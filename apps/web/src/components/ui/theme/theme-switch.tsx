import { SegmentedControl, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconDeviceDesktop, IconMoon, IconSun } from './icons.ts';
import classes from './theme-switch.module.css';

export function ThemeSwitch() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('shell.theme')}
      data={[
        { value: 'auto', label: <Choice icon={IconDeviceDesktop} name={t('shell.themeAuto')} /> },
        { value: 'light', label: <Choice icon={IconSun} name={t('shell.themeLight')} /> },
        { value: 'dark', label: <Choice icon={IconMoon} name={t('shell.themeDark')} /> },
      ]}
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
