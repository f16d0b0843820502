import { publicKeyPem } from './sign.ts';

/** The installer with the address of the releases and the key that signs them. */
export function installScript(template: string, base: string, publicKey: string): string {
  const filled = template.replaceAll('@BASE@', base).replace('@PUBLIC_KEY@', publicKeyPem(publicKey));
  const left = /@[A-Z_]+@/.exec(filled);
  if (left) throw new Error(`install.sh still has ${left[0]}.`);
  return filled;
}
