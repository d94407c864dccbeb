import { useAtomValue } from 'jotai'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { financeStaff } from '#contract/shapes/staff-call.ts'

/** Whether the user may refund orders. Controls for refunds are hidden otherwise. */
export const useCanRefund = (): boolean =>
  useAtomValue(claimsAtom)?.permissions.some((one) => financeStaff.holds.some((held) => held === one)) ?? false
