const secretName = /secret|token|key|pass|sign|auth|code/i;

/**
 * The query of a publisher's address, fit to be shown: `?secret=…&user=ann` → `?secret=***&user=ann`. The names decide,
 * so that what was typed under a wrong name, or by somebody who was refused, is hidden too.
 */
export function maskParam(param: string, hidden: RegExp = secretName): string {
  return param
    .split(/([?&,;])/)
    .map((piece) => {
      const [name = '', ...value] = piece.split('=');
      return value.length > 0 && hidden.test(decoded(name)) ? `${name}=***` : piece;
    })
    .join('');
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // Invalid encodings are kept as they are.
    return name;
  }
}
