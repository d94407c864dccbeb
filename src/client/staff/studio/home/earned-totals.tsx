import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useSeesFinances, useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type Earned, getPaymentSummary, type PaymentSummary } from '#contract/studio/payments/payment-summary.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import styles from './studio-home-screen.module.css'

type EarnedTileProps = { label: string; earned: Earned; before?: { label: string; earned: Earned } }

/** The amounts by how they were paid; none if all was paid by card. */
const paymentParts = ({ cardCents, cashCents, checkCents }: Earned): string[] => {
  if (cashCents === 0 && checkCents === 0) return []
  return [
    cardCents !== 0 && `${formatMoney(cardCents)} by card`,
    cashCents !== 0 && `${formatMoney(cashCents)} in cash`,
    checkCents !== 0 && `${formatMoney(checkCents)} by check`,
  ].filter((part) => part !== false)
}

const EarnedTile = ({ label, earned, before }: EarnedTileProps) => (
  <li className={styles.state}>
    <span>{label}</span>
    <strong>{formatMoney(earned.earnedCents)}</strong>
    {before && (
      <span>
        {formatMoney(before.earned.earnedCents)} {before.label}
      </span>
    )}
    {paymentParts(earned).map((part) => (
      <span key={part}>{part}</span>
    ))}
  </li>
)

type ComparedEarned = NonNullable<PaymentSummary['thisWeek']>

/** Whether something was earned or refunded in this period or the one before. */
const hasAmounts = (period: ComparedEarned | null): period is ComparedEarned =>
  period !== null && (period.earnedCents !== 0 || period.before.earnedCents !== 0)

/** What the studio earned: in all, this month and this week. Shown only to users who may see the studio's money. */
export const EarnedTotals = () => {
  const { id: studioId } = useStudio()
  const isVisible = useSeesFinances()
  const query = useStaffQuery(getPaymentSummary, { params: { studioId }, enabled: isVisible })
  if (!isVisible) return null
  return (
    <section aria-label="Earned">
      <QueryBoundary query={query}>
        {({ total, thisMonth, thisWeek }) => (
          <ul className={styles.states}>
            {hasAmounts(thisWeek) && (
              <EarnedTile
                label="Earned this week"
                earned={thisWeek}
                before={{ label: 'at this point last week', earned: thisWeek.before }}
              />
            )}
            {hasAmounts(thisMonth) && (
              <EarnedTile
                label="Earned this month"
                earned={thisMonth}
                before={{ label: 'at this point last month', earned: thisMonth.before }}
              />
            )}
            <EarnedTile label="Earned, all time" earned={total} />
          </ul>
        )}
      </QueryBoundary>
    </section>
  )
}
