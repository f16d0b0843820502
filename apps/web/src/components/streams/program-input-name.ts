import type { TFunction } from 'i18next';

/** `backup-2` → Backup encoder 2. Names given by the owner are shown unchanged. */
export function programInputName(id: string, t: TFunction): string {
  const [, kind = '', number = ''] = /^([a-z]+)(?:-(\d+))?$/.exec(id) ?? [];
  const name = t(`program.kind.${kind}` as 'timeline.title', { defaultValue: id });
  return number === '' ? name : t('program.numbered', { name, number });
}
