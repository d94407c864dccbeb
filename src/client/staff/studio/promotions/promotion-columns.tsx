import { Link } from 'wouter'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import { type BadgeTone, StateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import type { Promotion } from '#contract/studio/promotions/promotions.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { type PromotionState, promotionStateNames } from '#domain/pricing/promotion-draft.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { formatPercent } from '#domain/studio/rates.ts'
import { Price } from '#ui/price.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import styles from './promotions.module.css'

const stateTones: Readonly<Record<PromotionState, BadgeTone>> = {
  running: 'success',
  scheduled: 'attention',
  'used-up': 'quiet',
  ended: 'quiet',
  off: 'quiet',
}

/** A promotion's state as a badge. */
export const PromotionStateBadge = ({ state }: { state: PromotionState }) => (
  <StateBadge tone={stateTones[state]}>{promotionStateNames[state]}</StateBadge>
)

type Discount = Pick<Promotion, 'kind' | 'basisPoints' | 'amountCents'>

/** Formats a discount: `12.5%`, `$5.00`. */
export const formatDiscount = ({ kind, basisPoints, amountCents }: Discount): string =>
  kind === 'percent' ? formatPercent(basisPoints ?? 0) : formatMoney(amountCents ?? 0)

const formatDays = ({ startsOn, endsOn }: Promotion): string => {
  if (startsOn && endsOn) return `${formatDate(startsOn)} to ${formatDate(endsOn)}`
  if (startsOn) return `From ${formatDate(startsOn)}`
  return endsOn ? `Until ${formatDate(endsOn)}` : 'No end date'
}

const formatUses = ({ useCount, maximumUses, hasSingleUseCodes, codeCount }: Promotion): string => {
  const limit = maximumUses ?? (hasSingleUseCodes ? codeCount : null)
  return limit === null ? formatCount(useCount) : `${formatCount(useCount)} of ${formatCount(limit)}`
}

const formatType = ({ isAutomatic, isStackable, hasSingleUseCodes }: Promotion): string => {
  const type = isAutomatic ? 'Automatic' : hasSingleUseCodes ? 'Single-use codes' : 'Code'
  return isStackable ? `${type}, combines` : type
}

/** Columns of a list of promotions; the code links to the promotion. */
export const promotionColumns = (urlOf: (promotion: Promotion) => string): readonly Column<Promotion>[] => [
  {
    id: 'code',
    header: 'Code',
    sort: 'code',
    cell: (promotion) => (
      <>
        <Link href={urlOf(promotion)} className={styles.code}>
          {promotion.code}
        </Link>
        {promotion.name !== '' && <small className={styles.name}>{promotion.name}</small>}
      </>
    ),
  },
  { id: 'value', header: 'Discount', isNumber: true, cell: formatDiscount },
  {
    id: 'state',
    header: 'State',
    isKey: true,
    isClear: true,
    cell: ({ state }) => <PromotionStateBadge state={state} />,
  },
  { id: 'uses', header: 'Uses', sort: 'uses', isNumber: true, cell: formatUses },
  { id: 'days', header: 'Days', sort: 'ends', isOneLine: true, cell: formatDays },
  { id: 'terms', header: 'Type', cell: formatType },
  {
    id: 'discount',
    header: 'Discounts given',
    sort: 'discount',
    isNumber: true,
    cell: ({ discountCents }) => <Price cents={discountCents} />,
  },
]
