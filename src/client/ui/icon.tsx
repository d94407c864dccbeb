import type { LucideIcon } from 'lucide-react'

export type IconShape = LucideIcon

/**
 * An icon next to text, sized to the text and hidden from screen readers. Import each icon separately (`import Camera
 * from 'lucide-react/icons/camera'`), so that a page loads only the ones it shows.
 */
export const Icon = ({ of: Shape, size = '1.25em' }: { of: IconShape; size?: string | number }) => (
  <Shape size={size} strokeWidth={1.75} aria-hidden="true" focusable="false" />
)
