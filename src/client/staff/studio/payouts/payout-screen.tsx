import Banknote from 'lucide-react/icons/banknote'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatDay, formatMoment } from '#client/staff/kit/screen/format.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { SumTable, withoutZeros } from '#client/staff/kit/screen/sum-table.tsx'
import {
  getPayout,
  listPayoutTransactions,
  type PayoutDetails,
  type PayoutTransaction,
} from '#contract/studio/payments/payouts.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Price } from '#ui/price.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { OrderLink } from './order-link.tsx'
import { payoutStateLabels, transactionLabels } from './payout-labels.ts'
import styles from './payouts.module.css'

const columnsOf = (studioId: number, timeZone: string): readonly Column<PayoutTransaction>[] => [
  {
    id: 'order',
    header: 'Order',
    sort: 'order',
    cell: (transaction) => <OrderLink studioId={studioId} order={transaction} otherwise="No order here" />,
  },
  { id: 'customer', header: 'Customer', sort: 'customer', isClear: true, cell: ({ customerName }) => customerName },
  { id: 'kind', header: 'Transaction', sort: 'kind', isClear: true, cell: ({ kind }) => transactionLabels[kind] },
  { id: 'at', header: 'Date', sort: 'at', isOneLine: true, cell: ({ at }) => formatMoment(at, timeZone) },
  {
    id: 'amount',
    header: 'Amount',
    sort: 'amount',
    isNumber: true,
    cell: ({ amountCents }) => <Price cents={amountCents} />,
  },
  { id: 'fee', header: 'Fees', sort: 'fee', isNumber: true, cell: ({ feeCents }) => <Price cents={feeCents} /> },
  {
    id: 'net',
    header: 'Net',
    sort: 'net',
    isNumber: true,
    isKey: true,
    cell: ({ netCents }) => <Price cents={netCents} />,
  },
]

const paidOutRow = ({ amountCents }: PayoutDetails) => ({ label: 'Paid out', cents: amountCents, isTotal: true })

const sumRows = (payout: PayoutDetails) =>
  withoutZeros([
    { label: 'Card payments', cents: payout.chargesCents },
    { label: 'Refunds', cents: payout.refundsCents },
    { label: 'Fees', cents: payout.feesCents },
    { label: 'Platform fee', cents: payout.platformFeesCents },
    { label: 'Disputes', cents: payout.disputesCents },
    { label: 'Other', cents: payout.otherCents },
    paidOutRow(payout),
  ])

const PayoutSums = ({ payout }: { payout: PayoutDetails }) => (
  <section aria-label="Sums" className={styles.sums}>
    <p>
      {payoutStateLabels[payout.state]} · At the bank {formatDate(payout.arrivesOn)}
    </p>
    <p className={styles.soft}>
      Provider’s reference: <span className={styles.reference}>{payout.reference}</span>
    </p>
    <SumTable label="Sums" rows={payout.isItemized ? sumRows(payout) : [paidOutRow(payout)]} />
    {!payout.isItemized && (
      <p className={styles.soft}>The payment provider has not said yet which payments this payout contains.</p>
    )}
  </section>
)

/** A payout: its sums, and the orders, refunds and fees that it pays out. */
export const PayoutScreen = ({ studioId, payoutId }: { studioId: number; payoutId: number }) => {
  const { timeZone } = useStudio()
  const list = useList()
  const params = { studioId, payoutId }
  const payoutQuery = useStaffQuery(getPayout, { params })
  const query = useStaffQuery(listPayoutTransactions, { params, query: list.query })
  const { data: payout } = payoutQuery
  return (
    <StaffScreen
      title={payout ? `Payout of\u00a0${formatDay(payout.createdAt, timeZone)}` : 'Payout'}
      trail={[{ label: 'Payouts', href: staffUrls.studio(studioId, 'reports/payouts') }]}
    >
      <QueryBoundary query={payoutQuery}>
        {(loadedPayout) => (
          <div className={styles.sections}>
            <PayoutSums payout={loadedPayout} />
            <ListScreen
              label="Transactions"
              searchPlaceholder="Order or customer"
              list={list}
              query={query}
              columns={columnsOf(studioId, timeZone)}
              idOf={({ reference }) => reference}
              nameOf={({ orderNumber, reference }) => orderNumber ?? reference}
              empty={
                <EmptyState icon={Banknote} title="No transactions yet">
                  <p>What this payout contains appears here.</p>
                </EmptyState>
              }
            />
          </div>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}
