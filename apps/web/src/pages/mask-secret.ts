/** Hides the values of `secret` and `token` parameters. */
export function maskSecret(address: string): string {
  return address.replace(/([?&](?:secret|token)=)[^&#]+/gi, '$1••••••');
}
