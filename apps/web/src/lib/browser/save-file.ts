/** Saves a text as a file of the browser. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), {
    href: url,
    download: name.replaceAll(/[\\/:*?"<>|]/g, ' '),
  });
  link.click();
  URL.revokeObjectURL(url);
}
