import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';
import { paths } from '../../lib/paths.ts';

export const doctorFeature: Feature = {
  texts: ['doctor'],
  parts: { serverPanels: lazyScreen(async () => (await import('./check-panel.tsx')).CheckPanel) },
  palette: {
    links: [
      {
        to: `${paths.components}#check`,
        title: 'doctor.title',
        words: 'doctor check test ports dns firewall diagnose 诊断 检查 端口 防火墙 域名',
      },
    ],
  },
};
