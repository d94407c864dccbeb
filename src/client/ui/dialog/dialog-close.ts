import { createContext } from 'react'

/** Closes the surrounding dialog; null outside of one. In its own file, so that a form does not load the dialog. */
export const DialogCloseContext = createContext<(() => void) | null>(null)
