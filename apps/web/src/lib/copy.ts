/** Puts text on the clipboard. Rejects with a reason when the browser does not let us. */
export async function copyText(text: string): Promise<void> {
  // Pages over plain http have no clipboard API, and consoles are often opened that way.
  if (navigator.clipboard) {
    try {
      return await navigator.clipboard.writeText(text);
    } catch {
      // Refused by a policy or without focus; the older way may still be allowed.
    }
  }
  copyBySelection(text);
}

function copyBySelection(text: string): void {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.setAttribute('aria-hidden', 'true');
  Object.assign(area.style, { position: 'fixed', top: '0', left: '0', opacity: '0' });
  // Inside an open dialog, only elements of the dialog can take the focus.
  (focused?.closest('[role="dialog"]') ?? document.body).append(area);
  try {
    area.select();
    if (!document.execCommand('copy')) throw new Error('the browser refused');
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
