import { IconDeviceCctv } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const cameraFeature: Feature = {
  texts: ['camera'],
  tabs: [
    {
      page: 'scenario',
      id: 'camera',
      title: 'camera.tab',
      group: 'nav.groupFlows',
      purpose: 'nav.purpose.camera',
      icon: IconDeviceCctv,
      panel: lazyScreen(async () => (await import('./camera-tab.tsx')).CameraTab),
    },
  ],
};
