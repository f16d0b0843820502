import { IconDatabaseExport } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const backupFeature: Feature = {
  texts: ['backup', 'imports'],
  tabs: [
    {
      page: 'settings',
      id: 'backup',
      title: 'backup.tab',
      group: 'nav.groupServer',
      purpose: 'nav.purpose.backup',
      words:
        'backup restore export import recovery key s3 move server migrate srs mediamtx nginx restreamer 备份 恢复 导出 导入 迁移 密钥',
      icon: IconDatabaseExport,
      panel: lazyScreen(async () => (await import('./backup-tab.tsx')).BackupTab),
    },
  ],
  parts: { setupOption: lazyScreen(async () => (await import('./setup-restore.tsx')).SetupRestore) },
};
