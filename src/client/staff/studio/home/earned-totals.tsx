import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useSeesFinances, useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type Earned, getPaymentSummary } from '#contract/studio/payments/payment-summary.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import styles from './studio-home-screen.module.css'

type EarnedTileProps = { label: string; earned: Earned; before?: { label: string; earned: Earned } }

const counterPayments = ({ cashCents, checkCents }: Earned): string =>
  [cashCents !== 0 && `${formatMoney(cashCents)} in cash`, checkCents !== 0 && `${formatMoney(checkCents)} by check`]
    .filter((part) => part !== false)
    .join(' · ')

const EarnedTile = ({ label, earned, before }: EarnedTileProps) => (
  <li className={styles.state}>
    <span>{label}</span>
    <strong>{formatMoney(earned.earnedCents)}</strong>
    {before && (
      <span>
        {formatMoney(before.earned.earnedCents)} {before.label}
      </span>
    )}
    {counterPayments(earned) && <span>{counterPayments(earned)}</span>}
  </li>
)

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
            {thisWeek && (
              <EarnedTile
                label="Earned this week"
                earned={thisWeek}
                before={{ label: 'by this time last week', earned: thisWeek.before }}
              />
            )}
            {thisMonth && (
              <EarnedTile
                label="Earned this month"
                earned={thisMonth}
                before={{ label: 'by this time last month', earned: thisMonth.before }}
              />
            )}
            <EarnedTile label="Earned in all" earned={total} />
          </ul>
        )}
      </QueryBoundary>
    </section>
  )
}
