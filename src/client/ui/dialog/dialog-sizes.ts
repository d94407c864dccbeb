/** Widths a dialog comes in (section 9). */
export const dialogSizes = ['small', 'medium', 'large', 'xl'] as const

export type DialogSize = (typeof dialogSizes)[number]

export const defaultDialogSize: DialogSize = 'medium'

/** Milliseconds of the dialog's fade (sections 4 and 9); the style sheet's `--motion` is the same figure. */
export const dialogFadeMs = 150
