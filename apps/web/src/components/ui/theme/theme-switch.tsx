import { SegmentedControl, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { schemeIcons, useSchemeNames } from './theme-button.tsx';
import classes from './theme-switch.module.css';

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
        label: <Choice icon={schemeIcons[value]} name={names[value]} />,
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
