import Mail from 'lucide-react/icons/mail'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import { getYearBook, sendYearBookReminders } from '#contract/studio/portraits/year-book.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast } from '#ui/toast/toast.ts'

const formatCustomerCount = (count: number): string => `${formatCount(count)} ${count === 1 ? 'customer' : 'customers'}`

/** Sends a reminder to the customers whose yearbook photo is missing, after a confirmation with their number. */
export const ReminderButton = ({ job: { studioId, jobId } }: { job: JobParams }) => {
  const params = { studioId, jobId }
  const { data } = useStaffQuery(getYearBook, { params })
  const send = useStaffMutation(sendYearBookReminders)
  const count = data?.customersToRemind ?? 0
  if (count === 0) return null
  const remind = async () => {
    const isSure = await confirm({
      title: `Remind ${formatCustomerCount(count)}?`,
      message: 'Each customer with an order gets one email that asks for the missing yearbook photos.',
      confirmText: 'Send reminders',
    })
    if (!isSure) return
    const answer = await send.mutate({ params })
    if (answer.ok) toast(`${formatCustomerCount(answer.data.sent)} will get an email`)
  }
  return (
    <Button variant="secondary" icon={Mail} loading={send.busy} onClick={() => void remind()}>
      Remind {formatCustomerCount(count)}
    </Button>
  )
}
