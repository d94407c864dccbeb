import type { LucideIcon } from 'lucide-react'

export type IconShape = LucideIcon

/**
 * A drawn sign beside words, as large as the text around it. It says nothing by itself, so screen readers skip it.
 * Import each shape alone (`import Camera from 'lucide-react/icons/camera'`): a page carries only what it shows.
 */
export const Icon = ({ of: Shape, size = '1.25em' }: { of: IconShape; size?: string | number }) => (
  <Shape size={size} strokeWidth={1.75} aria-hidden="true" focusable="false" />
)
