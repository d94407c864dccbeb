/**
 * The button that was tapped before the app ran: of a form that was submitted, or of a package in the first view of a
 * code page, with the package's id as its `value`.
 */
export type EarlyButton = HTMLButtonElement | null | undefined

declare global {
  interface Window {
    /** Set by the page itself (`src/server/build/paint-first.ts`). */
    earlyButton?: EarlyButton
  }
}
