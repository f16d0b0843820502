import { createHash } from 'node:crypto';
import { outputOf } from './command.ts';
import type { Release } from './tree.ts';

interface CycloneDx {
  serialNumber?: string;
  metadata: { timestamp?: string };
}

/** Packages of a release in CycloneDX. npm puts the time and a random number in, which no second build could repeat. */
export function sbomOf(source: string, release: Release): string {
  const options = ['--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx'];
  const sbom = JSON.parse(outputOf('npm', ['sbom', ...options], { cwd: source })) as CycloneDx;
  sbom.metadata.timestamp = new Date(release.seconds * 1000).toISOString();
  const digest = createHash('sha256').update(release.commit).digest('hex');
  const groups = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `5${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ];
  sbom.serialNumber = `urn:uuid:${groups.join('-')}`;
  return `${JSON.stringify(sbom, null, 2)}\n`;
}
