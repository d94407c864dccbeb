import Banknote from 'lucide-react/icons/banknote'
import { Link } from 'wouter'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { type QueryResult, useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount, formatMoment } from '#client/staff/kit/screen/format.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { SumTable, withoutZeros } from '#client/staff/kit/screen/sum-table.tsx'
import { getPaymentBalance, listPayouts, type PaymentBalance, type Payout } from '#contract/studio/payments/payouts.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Price } from '#ui/price.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { PayoutStateBadge } from './payout-state-badge.tsx'
import styles from './payouts.module.css'

const columnsOf = (studioId: number, timeZone: string): readonly Column<Payout>[] => [
  {
    id: 'createdAt',
    header: 'Payout',
    sort: 'createdAt',
    cell: ({ id, createdAt }) => (
      <Link className={styles.link} href={staffUrls.studio(studioId, `reports/payouts/${id}`)}>
        {formatMoment(createdAt, timeZone)}
      </Link>
    ),
  },
  { id: 'state', header: 'State', sort: 'state', cell: ({ state }) => <PayoutStateBadge state={state} /> },
  { id: 'arrivesOn', header: 'At the bank', sort: 'arrivesOn', cell: ({ arrivesOn }) => formatDate(arrivesOn) },
  {
    id: 'transactions',
    header: 'Transactions',
    isNumber: true,
    cell: ({ transactionCount }) => formatCount(transactionCount),
  },
  {
    id: 'amount',
    header: 'Amount',
    sort: 'amount',
    isNumber: true,
    cell: ({ amountCents }) => <Price cents={amountCents} />,
  },
]

const balanceRows = (balance: PaymentBalance) => {
  const { chargesCents, refundsCents, feesCents, platformFeesCents, disputesCents } = balance
  return withoutZeros([
    { label: 'Card payments', cents: chargesCents },
    { label: 'Refunds', cents: -refundsCents },
    { label: 'Fees', cents: -feesCents },
    { label: 'Platform fee', cents: -platformFeesCents },
    { label: 'Disputes', cents: -disputesCents },
    { label: 'Not matched yet', cents: -balance.unmatchedCents },
    { label: 'Paid out', cents: -balance.payoutsCents },
    { label: 'Balance, not paid out yet', cents: balance.balanceCents, isTotal: true },
  ])
}

type BalanceSectionProps = { studioId: number; query: QueryResult<PaymentBalance> }

const BalanceSection = ({ studioId, query }: BalanceSectionProps) => {
  const { timeZone } = useStudio()
  return (
    <QueryBoundary query={query}>
      {(balance) => (
        <section className={styles.sections} aria-label="Balance">
          {balance.openDifferences > 0 && (
            <Notice
              tone="attention"
              title={`${formatCount(balance.openDifferences)} ${balance.openDifferences === 1 ? 'payment differs' : 'payments differ'} from the payment provider`}
            >
              <Link href={staffUrls.studio(studioId, 'reports/payouts/differences')}>Compare them</Link>
            </Notice>
          )}
          <div className={styles.sums}>
            <SumTable label="Balance" rows={balanceRows(balance)} />
            <p className={styles.soft}>
              {balance.pulledAt && `As of ${formatMoment(balance.pulledAt, timeZone)}. `}
              Updated once a day, and when a payout changes.
            </p>
          </div>
        </section>
      )}
    </QueryBoundary>
  )
}

/** The payouts of a studio, and the balance that was not paid out yet. */
export const PayoutsScreen = ({ studioId }: { studioId: number }) => {
  const { timeZone } = useStudio()
  const list = useList()
  const balanceQuery = useStaffQuery(getPaymentBalance, { params: { studioId } })
  const query = useStaffQuery(listPayouts, { params: { studioId }, query: list.query })
  // What both calls have in common, such as a lost network, is said once.
  const hasOneError = [balanceQuery, query].every(({ data, error }) => data === undefined && error !== undefined)
  return (
    <StaffScreen
      title="Payouts"
      actions={
        <ButtonLink variant="secondary" href={staffUrls.studio(studioId, 'reports/payouts/differences')}>
          Differences
        </ButtonLink>
      }
    >
      <div className={styles.sections}>
        {!hasOneError && <BalanceSection studioId={studioId} query={balanceQuery} />}
        <ListScreen
          label="Payouts"
          searchPlaceholder="State or provider’s number"
          list={list}
          query={query}
          columns={columnsOf(studioId, timeZone)}
          idOf={({ id }) => String(id)}
          nameOf={({ createdAt }) => formatMoment(createdAt, timeZone)}
          empty={
            <EmptyState icon={Banknote} title="No payouts yet">
              <p>Card payments are paid out to your bank by the payment provider. Each payout appears here.</p>
            </EmptyState>
          }
        />
      </div>
    </StaffScreen>
  )
}
