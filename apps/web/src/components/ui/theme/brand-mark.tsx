/** Logo: a stream that flows over a weir. */
export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--mantine-color-water-7)" />
      <path d="M5 11h9c3 0 4 2 4 5s1 6 4 6h5" fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round" />
      <path
        d="M5 17h5c2 0 3 1 3 3v7"
        fill="none"
        stroke="var(--mantine-color-water-2)"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
