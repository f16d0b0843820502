import type { Icon } from '@tabler/icons-react';
import type { QueryClient } from '@tanstack/react-query';
import type { AlertPlace } from '@weir/contract';
import type { WirePlace } from '@weir/streams';
import type { ParseKeys } from 'i18next';
import { createContext, useContext } from 'react';
import type { Catalogue } from '../locales/catalogue.ts';
import type { LazyScreen } from './lazy.ts';
import type { paths } from './paths.ts';

/** Descriptor of a feature for the console. Loaded with the first page, so it names its code instead of importing it. */
export interface Feature {
  /** Files of its texts. */
  readonly texts: readonly (keyof Catalogue)[];
  readonly screens?: readonly ScreenDefinition[];
  readonly tabs?: readonly FeatureTab[];
  readonly palette?: PaletteOffer;
  /** Parts for pages of other features. */
  readonly parts?: Parts;
  /** Sections of the tab "Others". */
  readonly sections?: readonly OtherSection[];
}

export type ScreenId = keyof typeof paths | 'setup';

/** A page with a route of its own. */
export interface ScreenDefinition {
  readonly id: ScreenId;
  readonly page: LazyScreen;
  /** Label of its link in the navigation; screens without one have no link. */
  readonly title?: ParseKeys;
  /** Further search terms in the palette; screens without are not listed there. */
  readonly words?: string;
  /** Stays mounted while another screen is shown, because it holds typed text or a selection. */
  readonly isKept?: true;
  /** Needs no sign-in. */
  readonly isOpen?: true;
  /** Has tabs in a sidebar, and places its content itself. */
  readonly hasSidebar?: true;
}

export interface TabDefinition {
  /** Value of the address parameter. */
  readonly id: string;
  readonly title: ParseKeys;
  /** Heading of its group in the sidebar; tabs of a group are adjacent. Tabs without one come last, below a rule. */
  readonly group?: ParseKeys;
  /** One line below the title: what the page is for. */
  readonly purpose?: ParseKeys;
  readonly icon?: Icon;
  readonly panel: Pick<LazyScreen, 'Component'>;
  /** Further parameter values that select this tab. */
  readonly alsoFor?: readonly string[];
}

export interface FeatureTab extends TabDefinition {
  /** Screen with the tab. */
  readonly page: AlertPlace['page'];
  readonly icon: Icon;
  readonly purpose: ParseKeys;
  /** Further search terms in the palette, in both languages. */
  readonly words?: string;
  readonly panel: LazyScreen;
  /** Fetches data while the code loads. */
  readonly prefetch?: (queries: QueryClient) => void;
  /** Parts of other features that are loaded with the tab. */
  readonly slots?: readonly (keyof Slots)[];
}

/** Places on pages that other features fill, and what a part gets there. */
interface Slots {
  /** Page of one stream, in the tab of the live guide. */
  readonly streamPage: { readonly stream: WirePlace };
  /** Tile below the video of the stream page: turns the feature on for the stream, or leads to its set-up. */
  readonly streamAction: { readonly stream: WirePlace };
  /** Panel of the stream page, below the tiles: where the stream comes from. */
  readonly streamInputs: { readonly stream: WirePlace };
  /** Note beside the name of a stream, on its page and its card. */
  readonly streamBadge: { readonly stream: WirePlace };
  /** Row of the stream page: what the feature does with the stream. */
  readonly streamFeed: { readonly stream: WirePlace };
  /** Tile of a live stream that copies the link for viewers. `openUrl` plays it where everybody may watch. */
  readonly watchLink: { readonly stream: WirePlace; readonly openUrl: string };
  /** Section of the sheet that shares a stream. */
  readonly shareSection: { readonly stream: WirePlace };
  /** Panels at the top of the tab of access settings. */
  readonly accessPanels: object;
  /** Panels at the top of the page of the server and its components. */
  readonly serverPanels: object;
  /** Cards of that page, below that of its version. */
  readonly serverCards: object;
  /**
   * Set-up page: another way to begin than a password. `code`: the set-up code, if it is in the address. `onDone`: the server has a password
   * now.
   */
  readonly setupOption: { readonly code: string; readonly onDone: () => void };
}

export type Parts = { readonly [Slot in keyof Slots]?: LazyScreen<Slots[Slot]> };
export type SlotProps<Slot extends keyof Slots> = Slots[Slot];

export interface OtherSection {
  readonly tab: 'other' | 'deprecated';
  /** Key of the section and value of `ctab`. */
  readonly id: string;
  readonly title: ParseKeys;
  readonly help: ParseKeys;
  readonly panel: LazyScreen;
}

interface PaletteOffer {
  readonly links?: readonly PaletteLink[];
  /** Loads a hook that lists further entries. */
  readonly load?: () => Promise<UsePaletteEntries>;
}

interface PaletteLink {
  /** Path without language. */
  readonly to: string;
  readonly title: ParseKeys;
  readonly words: string;
  /** Named by what it does instead of where it leads. */
  readonly isAction?: true;
}

export type UsePaletteEntries = () => readonly PaletteEntry[];

export interface PaletteEntry {
  readonly id: string;
  readonly title: string;
  /** Order in the list. */
  readonly group: PaletteGroup;
  /** Translated category, such as page, stream or action. */
  readonly kind: string;
  /** Extra search terms, such as the English name of a tab. */
  readonly words?: string;
  readonly icon?: Icon | undefined;
  readonly run: () => void;
}

/** In the order of the palette. */
export const paletteGroups = ['stream', 'page', 'action', 'recording'] as const;
type PaletteGroup = (typeof paletteGroups)[number];

export const FeaturesContext = createContext<readonly Feature[]>([]);

/** All features, for pages that show parts of others. */
export function useFeatures(): readonly Feature[] {
  return useContext(FeaturesContext);
}
