import { useAtomValue } from 'jotai'
import { bookkeepers } from '../../../contract/studio/staff-call.ts'
import { claimsAtom } from '../../session/signed-in.ts'

/** Whether whoever is signed in may give money back; who may not is not asked to. */
export const useMayGiveBack = (): boolean =>
  useAtomValue(claimsAtom)?.permissions.some((one) => bookkeepers.holds.some((held) => held === one)) ?? false
