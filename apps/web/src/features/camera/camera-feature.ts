import { IconDeviceCctv } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';
import { paths } from '../../lib/paths.ts';

export const cameraFeature: Feature = {
  texts: ['camera'],
  tabs: [
    {
      page: 'scenario',
      id: 'camera',
      title: 'camera.tab',
      group: 'nav.groupFlows',
      purpose: 'nav.purpose.camera',
      words: 'rtsp onvif 监控 摄像机',
      icon: IconDeviceCctv,
      panel: lazyScreen(async () => (await import('./camera-tab.tsx')).CameraTab),
    },
  ],
  palette: {
    links: [
      { to: `${paths.scenario}?tab=camera`, title: 'palette.addCamera', words: 'rtsp onvif 监控', isAction: true },
    ],
  },
};
