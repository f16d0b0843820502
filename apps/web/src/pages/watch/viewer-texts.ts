import type { Catalogues } from '../../lib/i18n.ts';

const en = import.meta.glob(['../../locales/en/pages/watch.json', '../../locales/en/shell/player.json'], {
  eager: true,
  import: 'default',
});
const zh = import.meta.glob(['../../locales/zh/pages/watch.json', '../../locales/zh/shell/player.json'], {
  eager: true,
  import: 'default',
});

/** Both languages travel with the page: another request would delay the first frame by more than they weigh. */
export const viewerTexts: Catalogues = {
  en: async () => ({ files: en }),
  zh: async () => ({ files: zh }),
};
