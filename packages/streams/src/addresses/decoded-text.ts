/** Text without percent signs for other signs; undefined where these say nothing (`100%`). */
export function decodedText(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
