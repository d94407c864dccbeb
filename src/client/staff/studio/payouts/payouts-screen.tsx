import Banknote from 'lucide-react/icons/banknote'
import { Link } from 'wouter'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { type QueryResult, useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount, formatDay, formatMoment } from '#client/staff/kit/screen/format.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { StateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import { SumTable, withoutZeros } from '#client/staff/kit/screen/sum-table.tsx'
import { getPaymentBalance, listPayouts, type PaymentBalance, type Payout } from '#contract/studio/payments/payouts.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Price } from '#ui/price.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { payoutStateLabels, payoutStateTones } from './payout-labels.ts'
import styles from './payouts.module.css'

const columnsOf = (studioId: number, timeZone: string): readonly Column<Payout>[] => [
  {
    id: 'createdAt',
    header: 'Payout',
    sort: 'createdAt',
    isOneLine: true,
    cell: ({ id, createdAt }) => (
      <Link className={styles.link} href={staffUrls.studio(studioId, `reports/payouts/${id}`)}>
        {formatDay(createdAt, timeZone)}
      </Link>
    ),
  },
  {
    id: 'amount',
    header: 'Amount',
    sort: 'amount',
    isNumber: true,
    isKey: true,
    cell: ({ amountCents }) => <Price cents={amountCents} />,
  },
  {
    id: 'state',
    header: 'State',
    isClear: true,
    sort: 'state',
    cell: ({ state }) => <StateBadge tone={payoutStateTones[state]}>{payoutStateLabels[state]}</StateBadge>,
  },
  {
    id: 'arrivesOn',
    header: 'At the bank',
    sort: 'arrivesOn',
    isOneLine: true,
    cell: ({ arrivesOn }) => formatDate(arrivesOn),
  },
  {
    id: 'transactions',
    header: 'Transactions',
    isNumber: true,
    cell: ({ transactionCount }) => formatCount(transactionCount),
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
    { label: 'Not confirmed yet', cents: -balance.unmatchedCents },
    { label: 'Paid out', cents: -balance.payoutsCents },
    { label: 'Balance, not paid out yet', cents: balance.balanceCents, isTotal: true },
  ])
}

const unmatchedExplanation =
  '“Not confirmed yet” is money that only we or only the payment provider have recorded so far.'

/** The way to the differences from the payment provider: a notice while there are open ones. */
const DifferencesLink = ({ studioId, balance }: { studioId: number; balance: PaymentBalance }) => {
  const { openDifferences, unmatchedCents } = balance
  const explanation = unmatchedCents !== 0 && `${unmatchedExplanation} `
  const href = staffUrls.studio(studioId, 'reports/payouts/differences')
  if (openDifferences === 0)
    return (
      <p className={styles.soft}>
        {explanation}
        <Link href={href}>Earlier differences</Link>
      </p>
    )
  const subject = openDifferences === 1 ? 'payment differs' : 'payments differ'
  return (
    <Notice tone="attention" title={`${formatCount(openDifferences)} ${subject} from the payment provider`}>
      <p>
        {explanation}
        <Link href={href}>Compare them</Link>
      </p>
    </Notice>
  )
}

/** What the studio still gets, in the balance at the provider or on the way to it. */
const Outstanding = ({ balance: { balanceCents, unmatchedCents } }: { balance: PaymentBalance }) => {
  const unconfirmedCents = Math.max(0, unmatchedCents)
  return (
    <div>
      <p className={styles.balance}>{formatMoney(balanceCents + unconfirmedCents)}</p>
      <p className={styles.soft}>
        Not paid out yet
        {unconfirmedCents > 0 && `, of which ${formatMoney(unconfirmedCents)} is not confirmed yet`}
      </p>
    </div>
  )
}

type BalanceSectionProps = { studioId: number; query: QueryResult<PaymentBalance> }

const BalanceSection = ({ studioId, query }: BalanceSectionProps) => {
  const { timeZone } = useStudio()
  return (
    <QueryBoundary query={query}>
      {(balance) => (
        <section className={styles.sections} aria-label="Balance">
          <div className={styles.sums}>
            <Outstanding balance={balance} />
            <SumTable label="Balance" rows={balanceRows(balance)} />
            <p className={styles.soft}>
              {balance.pulledAt && `As of ${formatMoment(balance.pulledAt, timeZone)}. `}
              Updated once a day, and when a payout changes.
            </p>
            <DifferencesLink {...{ studioId, balance }} />
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
    <StaffScreen title="Payouts">
      <div className={styles.sections}>
        {!hasOneError && <BalanceSection studioId={studioId} query={balanceQuery} />}
        <ListScreen
          label="Payouts"
          searchPlaceholder="State or provider’s number"
          list={list}
          query={query}
          columns={columnsOf(studioId, timeZone)}
          idOf={({ id }) => String(id)}
          nameOf={({ createdAt }) => formatDay(createdAt, timeZone)}
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
