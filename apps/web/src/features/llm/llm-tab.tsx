import { Stack } from '@mantine/core';
import { LimitsPanel } from './limits-panel.tsx';
import { LocalAiPanel } from './local-ai-panel.tsx';
import { ModelsPanel } from './models-panel.tsx';
import { PrivacyPanel } from './privacy-panel.tsx';
import { ProviderPanel } from './provider-panel.tsx';
import { UsagePanel } from './usage-panel.tsx';

/** Whom AI features ask, what that took, and the AI of this server. */
export function LlmTab() {
  return (
    <Stack gap="md">
      <ProviderPanel />
      <LocalAiPanel />
      <PrivacyPanel />
      <ModelsPanel />
      <UsagePanel />
      <LimitsPanel />
    </Stack>
  );
}
