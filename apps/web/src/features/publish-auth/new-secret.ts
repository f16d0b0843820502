/** 32 hexadecimal digits, the form the server makes its own secrets in. */
export function newSecret(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
