import Ellipsis from 'lucide-react/icons/ellipsis'
import { useState } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { OrganizationParams } from '#client/staff/kit/routing/staff-route.tsx'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import {
  type CommissionPayment,
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
import { Menu } from '#ui/popover/menu.tsx'
import { Price } from '#ui/price.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { OrganizationLayout } from '../organization-layout.tsx'
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

const paymentColumns = ({ remove, busy }: PaymentColumnOptions): readonly Column<CommissionPayment>[] => [
  { id: 'paidOn', header: 'Paid on', isOneLine: true, cell: ({ paidOn }) => formatDate(paidOn) },
  { id: 'amount', header: 'Amount', isNumber: true, cell: ({ amountCents }) => <Price cents={amountCents} /> },
  { id: 'through', header: 'Orders through', isOneLine: true, cell: ({ throughDay }) => formatDate(throughDay) },
  { id: 'note', header: 'Note', cell: ({ note }) => note },
  {
    id: 'actions',
    header: 'Actions',
    cell: (payment) => (
      <Menu
        label={`Actions for the payment of ${formatDate(payment.paidOn)}`}
        icon={Ellipsis}
        align="end"
        items={[{ label: 'Remove', danger: true, disabled: busy, onSelect: () => void remove(payment) }]}
      />
    ),
  },
]

type PaymentColumnOptions = { remove: (payment: CommissionPayment) => Promise<void>; busy: boolean }

const PaymentTable = ({ params, commissions: { payments } }: PanelContentProps) => {
  const { mutate, busy } = useStaffMutation(deleteCommissionPayment)
  const { studioId, organizationId } = params
  if (payments.length === 0) return <p>No payments yet.</p>
  const remove = async ({ id, amountCents }: CommissionPayment) => {
    const title = `Remove the payment of ${formatMoney(amountCents)}?`
    const message = 'Its sum is owed again.'
    if (!(await confirm({ title, message, confirmText: 'Remove', danger: true }))) return
    await mutate({ params: { studioId, organizationId, id } })
  }
  return (
    <DataTable
      label="Payments"
      columns={paymentColumns({ remove, busy })}
      rows={payments}
      idOf={({ id }) => String(id)}
      nameOf={({ paidOn }) => formatDate(paidOn)}
    />
  )
}

const owedExplanation = ({ owedCents, today }: Commissions): string => {
  if (owedCents === 0) return 'Nothing is owed.'
  return owedCents > 0
    ? `For orders through ${formatDate(today)}.`
    : 'Too much was paid, because orders were refunded. It is set off against the next orders.'
}

const PanelContent = ({ params, commissions }: PanelContentProps) => {
  const [openDialog, setOpenDialog] = useState<'rate' | 'payment' | 'statement' | null>(null)
  const close = () => setOpenDialog(null)
  const { owedCents } = commissions
  return (
    <>
      <Panel title="Owed" lead="The share that the organization gets of its orders, before shipping and tax.">
        <div>
          <p className={styles.owed}>{formatMoney(owedCents)}</p>
          <p className={styles.soft}>{owedExplanation(commissions)}</p>
        </div>
        <div className={styles.actions}>
          {owedCents > 0 && (
            <Button onClick={() => setOpenDialog('payment')}>Mark {formatMoney(owedCents)} as paid</Button>
          )}
          <Button variant="secondary" onClick={() => setOpenDialog('statement')}>
            Statement
          </Button>
        </div>
      </Panel>
      <Panel title="Rates" lead="A rate applies to orders placed from its start date.">
        <RateList {...{ params, commissions }} />
        <div className={styles.actions}>
          <Button variant="secondary" onClick={() => setOpenDialog('rate')}>
            Add a rate
          </Button>
        </div>
      </Panel>
      <Panel title="Payments">
        <PaymentTable {...{ params, commissions }} />
      </Panel>
      <CommissionRateDialog {...{ params, commissions }} open={openDialog === 'rate'} onClose={close} />
      <CommissionPaymentDialog {...{ params, commissions }} open={openDialog === 'payment'} onClose={close} />
      <CommissionStatementDialog {...{ params, commissions }} open={openDialog === 'statement'} onClose={close} />
    </>
  )
}

const CommissionPanels = (params: OrganizationParams) => {
  const { studioId, organizationId } = params
  const query = useStaffQuery(getCommissions, { params: { studioId, organizationId } })
  return (
    <QueryBoundary query={query}>
      {(commissions) => <PanelContent params={params} commissions={commissions} />}
    </QueryBoundary>
  )
}

/** The commission of an organization, the share that it gets of its orders: what is owed, the payments and the rates. */
export const CommissionScreen = (params: OrganizationParams) => (
  <OrganizationLayout {...params} tab="commission">
    <CommissionPanels {...params} />
  </OrganizationLayout>
)
