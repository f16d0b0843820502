/** An address as others may see it: `secret=…` keeps its name only. */
export function maskSecret(address: string): string {
  return address.replace(/([?&](?:secret|token)=)[^&#]+/gi, '$1••••••');
}
