/**
 * Takes secrets out of a text. Known shapes only (API secrets, JWTs, bearer headers, secret-like query parameters,
 * user info in URLs): what a person needs for finding a fault stays readable.
 */
export function scrub(text: string): string {
  return text
    .replace(/\bsrs-v[12]-[0-9a-f]{32}\b/gi, '[hidden]')
    .replace(/\bsk-[\w-]{16,}/g, '[hidden]')
    .replace(/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, '[hidden]')
    .replace(/\b(bearer\s+)[^\s"',\\]+/gi, '$1[hidden]')
    .replace(
      /((?:^|[?&,])(?:secret|token|code|password|key|roomToken|bearer|weir-own|weir-preview)=)[^&\s"',\\]+/gi,
      '$1[hidden]',
    )
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"'\\]+@/gi, '$1[hidden]@');
}
