import Mail from 'lucide-react/icons/mail'
import { Suspense, useState } from 'react'
import { type CartReminder, getReminder } from '#contract/customer/reminder-calls.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { Button } from '#ui/button/button.tsx'
import { useCart } from '../shared/cart/use-cart.ts'
import { useJobContext } from '../shared/job/job-context.tsx'
import { ReminderDialog } from './reminder-dialog.tsx'

/** Opens the reminders of this cart by email. It appears once the server has the cart, and only if the studio sends any. */
export const ReminderButton = () => {
  const { jobId, orderMethod, closedReason } = useJobContext()
  const cartId = useCart(jobId, orderMethod)?.cart.id ?? null
  const query = useQuery(getReminder, cartId === null ? null : { params: { jobId }, query: { cartId } })
  const [changed, setChanged] = useState<{ cartId: number; data: CartReminder }>()
  const [dialogState, setDialogState] = useState<'never' | 'open' | 'closed'>('never')
  const data = changed?.cartId === cartId ? changed?.data : query.data
  const isOffered = data === undefined || data.offered.length > 0 || data.reminder !== null
  if (cartId === null || closedReason !== null || query.loading || !isOffered) return null
  return (
    <>
      <Button variant="quiet" size="sm" icon={Mail} onClick={() => setDialogState('open')}>
        {data?.reminder ? 'Email reminders are on' : 'Email me a reminder'}
      </Button>
      {dialogState !== 'never' && (
        <Suspense>
          <ReminderDialog
            open={dialogState === 'open'}
            onClose={() => setDialogState('closed')}
            cartId={cartId}
            data={data}
            onChanged={(answer) => setChanged({ cartId, data: answer })}
          />
        </Suspense>
      )}
    </>
  )
}
