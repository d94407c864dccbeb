import type { IconTip } from '#ui/icon-tip.ts'
import { Tooltip } from '#ui/popover/tooltip.tsx'

/** The name of an icon-only control as a tooltip. */
export const LabelTip: IconTip = ({ label, children }) => (
  <Tooltip text={label} isName>
    {children}
  </Tooltip>
)
