import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { consoleTimes } from '@weir/contract';
import type { ReactNode } from 'react';
import { cssVariables, theme } from '../components/ui/theme/theme.ts';
import { storageKeys } from '../lib/browser/browser-storage.ts';
import { FeaturesContext } from '../lib/feature.ts';
import { features } from './features.ts';
import classes from './providers.module.css';
import { useDialogFocus } from './use-dialog-focus.ts';

const colorSchemeManager = localStorageColorSchemeManager({ key: storageKeys.colorScheme });

export function Providers({ queries, children }: { queries: QueryClient; children: ReactNode }) {
  useDialogFocus();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
    >
      <QueryClientProvider client={queries}>
        <Notifications
          position="top-right"
          autoClose={consoleTimes.toastMs}
          transitionDuration={consoleTimes.toastFadeMs}
          containerWidth={360}
          className={classes.toasts}
        />
        <FeaturesContext value={features}>{children}</FeaturesContext>
      </QueryClientProvider>
    </MantineProvider>
  );
}
