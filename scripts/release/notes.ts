/** The section of one version, or that of the next one for builds that are no release. */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## )/m).slice(1);
  const wanted = version.replace(/\+.*$/, '');
  const section = sections.find((text) => text.startsWith(`## ${wanted}`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${wanted}".`);
  return `${section.trimEnd()}\n`;
}
