import { useState } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useSeesFinances } from '#client/staff/kit/routing/staff-context.ts'
import type { OrganizationParams } from '#client/staff/kit/routing/staff-route.tsx'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import {
  type Commissions,
  deleteCommissionPayment,
  deleteCommissionRate,
  getCommissions,
} from '#contract/studio/payments/commissions.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { describeRate } from '#domain/studio/commission-rate.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import styles from './commission.module.css'
import { CommissionPaymentDialog } from './commission-payment-dialog.tsx'
import { CommissionRateDialog } from './commission-rate-dialog.tsx'
import { CommissionStatementDialog } from './commission-statement-dialog.tsx'

type PanelContentProps = { params: OrganizationParams; commissions: Commissions }

const RateList = ({ params, commissions: { rates } }: PanelContentProps) => {
  const { mutate, busy } = useStaffMutation(deleteCommissionRate)
  const { studioId, organizationId } = params
  if (rates.length === 0) return <p>No rate yet. Add one if the organization gets a share of its orders.</p>
  const otherJobs = rates.some(({ jobId }) => jobId !== null) ? 'all other jobs' : 'all jobs'
  return (
    <ul className={styles.list} aria-label="Rates">
      {rates.map((rate) => (
        <li key={rate.id}>
          <span>
            <strong>{describeRate(rate)}</strong> in {rate.jobName ?? otherJobs}, {rate.hasBegun ? 'since' : 'from'}{' '}
            {formatDate(rate.startsOn)}
          </span>
          {!rate.hasBegun && (
            <Button
              variant="quiet"
              loading={busy}
              aria-label={`Delete the rate from ${formatDate(rate.startsOn)}`}
              onClick={() => void mutate({ params: { studioId, organizationId, id: rate.id } })}
            >
              Delete
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

const PaymentList = ({ params, commissions: { payments } }: PanelContentProps) => {
  const { mutate, busy } = useStaffMutation(deleteCommissionPayment)
  const { studioId, organizationId } = params
  if (payments.length === 0) return null
  const remove = async (id: number, amount: string) => {
    const title = `Remove the payment of ${amount}?`
    const message = 'Its sum is owed again.'
    if (!(await confirm({ title, message, confirmText: 'Remove', danger: true }))) return
    await mutate({ params: { studioId, organizationId, id } })
  }
  return (
    <ul className={styles.list} aria-label="Payments">
      {payments.map(({ id, amountCents, paidOn, throughDay, note }) => (
        <li key={id}>
          <span>
            <strong>{formatMoney(amountCents)}</strong> paid on {formatDate(paidOn)} for orders through{' '}
            {formatDate(throughDay)}
            {note && `: ${note}`}
          </span>
          <Button
            variant="quiet"
            loading={busy}
            aria-label={`Remove the payment of ${formatDate(paidOn)}`}
            onClick={() => void remove(id, formatMoney(amountCents))}
          >
            Remove
          </Button>
        </li>
      ))}
    </ul>
  )
}

const owedText = (owedCents: number): string => {
  if (owedCents === 0) return 'Nothing is owed.'
  return owedCents > 0
    ? `${formatMoney(owedCents)} is owed.`
    : `${formatMoney(-owedCents)} too much was paid, because orders were refunded. It is set off against the next orders.`
}

const PanelContent = ({ params, commissions }: PanelContentProps) => {
  const [openDialog, setOpenDialog] = useState<'rate' | 'payment' | 'statement' | null>(null)
  const close = () => setOpenDialog(null)
  const { rates, payments, owedCents } = commissions
  const isOwed = owedCents > 0
  const hasHistory = rates.length > 0 || payments.length > 0 || owedCents !== 0
  return (
    <>
      {hasHistory && <p className={isOwed ? styles.owed : undefined}>{owedText(owedCents)}</p>}
      <RateList {...{ params, commissions }} />
      <PaymentList {...{ params, commissions }} />
      <div className={styles.actions}>
        {isOwed && <Button onClick={() => setOpenDialog('payment')}>Mark {formatMoney(owedCents)} as paid</Button>}
        <Button variant={isOwed ? 'secondary' : 'primary'} onClick={() => setOpenDialog('rate')}>
          Add a rate
        </Button>
        <Button variant="secondary" onClick={() => setOpenDialog('statement')}>
          Statement
        </Button>
      </div>
      <CommissionRateDialog {...{ params, commissions }} open={openDialog === 'rate'} onClose={close} />
      <CommissionPaymentDialog {...{ params, commissions }} open={openDialog === 'payment'} onClose={close} />
      <CommissionStatementDialog {...{ params, commissions }} open={openDialog === 'statement'} onClose={close} />
    </>
  )
}

/** The share that an organization gets of its orders: its rates, what is owed and what was paid. For those who see the studio's money. */
export const CommissionPanel = (params: OrganizationParams) => {
  const { studioId, organizationId } = params
  const isVisible = useSeesFinances()
  const query = useStaffQuery(getCommissions, { params: { studioId, organizationId }, enabled: isVisible })
  if (!isVisible) return null
  return (
    <Panel title="Commission" lead="The share that the organization gets of its orders, before shipping and tax.">
      <QueryBoundary query={query}>
        {(commissions) => <PanelContent params={params} commissions={commissions} />}
      </QueryBoundary>
    </Panel>
  )
}
