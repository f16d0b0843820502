import classes from './json-text.module.css';

interface JsonTextProps {
  /** What it is, for those who cannot see where it stands. */
  label: string;
  /** JSON; anything else is shown as it is. */
  text: string;
}

/** A JSON text, one field a line. Long ones scroll by themselves. */
export function JsonText({ label, text }: JsonTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section className={classes.box} tabIndex={0} aria-label={label}>
      <pre>{prettyJson(text)}</pre>
    </section>
  );
}

/** JSON with one field a line; anything else as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
