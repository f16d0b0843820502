import type { TFunction } from 'i18next';

/** The browser refused to copy. `plain-http` means that the page has no clipboard API; `detail` is the browser's message. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
  readonly reason: 'plain-http' | 'refused';
  readonly detail: string;

  constructor(reason: CopyError['reason'], cause: unknown) {
    const detail = cause instanceof Error ? cause.message : '';
    super(detail || reason, { cause });
    this.reason = reason;
    this.detail = detail;
  }
}

/** Copies text; rejects with a CopyError when the browser refuses. */
export async function copyText(text: string): Promise<void> {
  // Pages over plain HTTP have no clipboard API, and consoles are often opened that way.
  if (!navigator.clipboard) return copyBySelection(text, new CopyError('plain-http', undefined));
  try {
    return await navigator.clipboard.writeText(text);
  } catch (error) {
    // Blocked by a policy or for lack of focus; the older API may still be allowed.
    copyBySelection(text, new CopyError('refused', error));
  }
}

function copyBySelection(text: string, failure: CopyError): void {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.setAttribute('aria-hidden', 'true');
  Object.assign(area.style, { position: 'fixed', top: '0', left: '0', opacity: '0' });
  // Only elements inside an open dialog can receive the focus.
  (focused?.closest('[role="dialog"]') ?? document.body).append(area);
  try {
    area.select();
    if (!document.execCommand('copy')) throw failure;
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}

/** Explains the failure and how to copy by hand. */
export function describeCopyFailure(t: TFunction, error: unknown): string {
  const reason = error instanceof CopyError ? error.reason : 'refused';
  const detail = error instanceof CopyError ? error.detail : String(error);
  const why = t(`helper.copyReason.${reason}`);
  return `${t('helper.copyFail')} ${why}${detail === '' ? '' : ` (${detail})`} ${t('helper.copyInstead')}`;
}
