const revokeAfterMs = 60_000;

/** Saves a text, or bytes, as a file of the browser. */
export function saveFile(name: string, content: string | Blob): void {
  const file = typeof content === 'string' ? new Blob([content], { type: 'text/plain;charset=utf-8' }) : content;
  const url = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), {
    href: url,
    download: name.replaceAll(/[\\/:*?"<>|]/g, ' '),
  });
  link.click();
  // The browser may begin to read it only after this click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
}
