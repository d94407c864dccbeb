import type { StudioRole } from '#contract/system/auth.ts'
import type { SelectOption } from '#ui/form/select.tsx'

/** Labels of the studio roles. */
export const roleNames = { owner: 'Owner', staff: 'Staff' } as const satisfies Record<StudioRole, string>

export const roleOptions: readonly (SelectOption & { value: StudioRole })[] = [
  { value: 'staff', label: roleNames.staff },
  { value: 'owner', label: roleNames.owner },
]
