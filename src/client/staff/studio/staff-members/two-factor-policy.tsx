import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { getTwoFactorPolicy, putTwoFactorPolicy, type TwoFactorPolicy } from '#contract/system/two-factor.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast } from '#ui/toast/toast.ts'
import styles from './staff-list-screen.module.css'

const countText = ({ userCount, withoutCount }: TwoFactorPolicy): string => {
  if (withoutCount === 0)
    return userCount === 1 ? 'The one person here has it.' : `All ${userCount} people here have it.`
  return `${withoutCount} of ${userCount} ${userCount === 1 ? 'person' : 'people'} here ${
    withoutCount === 1 ? 'has' : 'have'
  } none yet.`
}

/** Whether everyone in the studio must have two-factor sign-in. */
export const TwoFactorPolicySection = ({ studioId }: { studioId: number }) => {
  const params = { studioId }
  const query = useStaffQuery(getTwoFactorPolicy, { params })
  const { mutate, busy } = useStaffMutation(putTwoFactorPolicy)
  const change = async (isRequired: boolean) => {
    const message = isRequired
      ? 'People without it are asked to log in within 15 minutes, and set it up then.'
      : 'Everyone can then turn theirs off.'
    const title = isRequired ? 'Require two-factor sign-in?' : 'Make two-factor sign-in optional?'
    if (!(await confirm({ title, message, confirmText: isRequired ? 'Require it' : 'Make it optional' }))) return
    const answer = await mutate({ params, body: { isRequired } })
    if (answer.ok) toast(isRequired ? 'Two-factor sign-in is required now' : 'It is optional now', 'success')
  }
  return (
    <section className={styles.invitations} aria-labelledby="staff-two-factor">
      <h2 id="staff-two-factor">Two-factor sign-in</h2>
      <QueryBoundary query={query}>
        {(policy) => (
          <>
            <p>
              {policy.isRequired ? 'Required for everyone in this studio. ' : 'Optional. '}
              {countText(policy)}
            </p>
            <div>
              <Button variant="secondary" loading={busy} onClick={() => void change(!policy.isRequired)}>
                {policy.isRequired ? 'Make it optional' : 'Require two-factor sign-in'}
              </Button>
            </div>
          </>
        )}
      </QueryBoundary>
    </section>
  )
}
