import { useAtomValue } from 'jotai'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { financeStaff } from '#contract/shapes/staff-call.ts'

/** Whether whoever is signed in may give money back; who may not is not asked to. */
export const useCanRefund = (): boolean =>
  useAtomValue(claimsAtom)?.permissions.some((one) => financeStaff.holds.some((held) => held === one)) ?? false
