import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './part-tabs.module.css';

interface PartTabsProps<Tab extends string> {
  tab: Tab;
  onTab: (tab: Tab) => void;
  parts: readonly { readonly tab: Tab; readonly word: string }[];
  /** One `Tabs.Panel` per part. */
  children: ReactNode;
}

/** Settings split into tabs. */
export function PartTabs<Tab extends string>({ tab, onTab, parts, children }: PartTabsProps<Tab>) {
  const choose = (value: string | null) => {
    const part = parts.find((one) => one.tab === value);
    if (part) onTab(part.tab);
  };
  return (
    <Tabs value={tab} onChange={choose}>
      <Tabs.List mb="md" className={classes.parts}>
        {parts.map((part) => (
          <Tabs.Tab key={part.tab} value={part.tab} className={classes.part}>
            {part.word}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {children}
    </Tabs>
  );
}
