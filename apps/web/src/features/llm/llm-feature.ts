import { IconSparkles } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const llmFeature: Feature = {
  texts: ['llm'],
  tabs: [
    {
      page: 'settings',
      id: 'llm',
      title: 'settings.tabLLM',
      group: 'nav.groupServer',
      purpose: 'nav.purpose.llm',
      words: 'openai model key 模型 密钥',
      icon: IconSparkles,
      panel: lazyScreen(async () => (await import('./llm-tab.tsx')).LlmTab),
    },
  ],
};
