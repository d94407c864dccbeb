import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { endSupportAccess, type SupportAccess } from '#contract/studio/support-access.ts'
import { toast } from '#ui/toast/toast.ts'

/** Ends an access at once, or refuses the request. */
export const useEndAccess = (studioId: number) => {
  const { mutate, busy } = useStaffMutation(endSupportAccess)
  const end = async ({ id, administratorName }: SupportAccess) => {
    const answer = await mutate({ params: { studioId, id } })
    if (answer.ok) toast(`${administratorName} has no access to your studio`)
  }
  return { end: (access: SupportAccess) => void end(access), busy }
}
