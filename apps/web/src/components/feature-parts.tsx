import { type Parts, type SlotProps, useFeatures } from '../lib/feature.ts';

interface FeaturePartsProps<Slot extends keyof Parts> {
  slot: Slot;
  /** Props of each part. */
  props: SlotProps<Slot>;
}

/** Parts that features offer for a place on this page, in their order. The page appears together with its parts, so that nothing moves later. */
export function FeatureParts<Slot extends keyof Parts>({ slot, props }: FeaturePartsProps<Slot>) {
  const offered = useFeatures().flatMap(({ parts }) => parts?.[slot] ?? []);
  return offered.map(({ Component }, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
    <Component key={place} {...props} />
  ));
}
