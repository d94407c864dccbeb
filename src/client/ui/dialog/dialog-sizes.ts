/** Widths of a dialog (section 9). */
export const dialogSizes = ['small', 'medium', 'large', 'xl'] as const

export type DialogSize = (typeof dialogSizes)[number]

export const defaultDialogSize: DialogSize = 'medium'

/** Duration of the dialog's fade in milliseconds (sections 4 and 9); must equal `--motion` in the style sheet. */
export const dialogFadeMs = 150
