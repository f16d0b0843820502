import { createContext } from 'react';

/** Whether pages are kept out of sight with what was typed into them. */
export const KeepAliveContext = createContext(false);
