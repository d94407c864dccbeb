import { useAtomValue } from 'jotai'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { bookkeepers } from '#contract/shapes/staff-call.ts'

/** Whether whoever is signed in may give money back; who may not is not asked to. */
export const useMayGiveBack = (): boolean =>
  useAtomValue(claimsAtom)?.permissions.some((one) => bookkeepers.holds.some((held) => held === one)) ?? false
