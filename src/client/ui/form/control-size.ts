/** Heights of a control (section 5); on touch screens the two small ones grow to 44 px. */
export const controlSizes = ['xs', 'sm', 'md', 'lg'] as const

export type ControlSize = (typeof controlSizes)[number]
