import classes from './json-text.module.css';

interface JsonTextProps {
  /** Label for screen readers. */
  label: string;
  /** Text other than JSON is shown unchanged. */
  text: string;
}

/** Formatted JSON that scrolls on its own. */
export function JsonText({ label, text }: JsonTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className={classes.box} tabIndex={0} aria-label={label}>
      <pre>{prettyJson(text)}</pre>
    </section>
  );
}

/** Text other than JSON is returned unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
