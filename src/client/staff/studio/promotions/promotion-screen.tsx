import Ellipsis from 'lucide-react/icons/ellipsis'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getPromotion, type Promotion } from '#contract/studio/promotions/promotions.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { Menu } from '#ui/popover/menu.tsx'
import { PromotionCodes } from './promotion-codes.tsx'
import { PromotionStateBadge } from './promotion-columns.tsx'
import { PromotionPreview } from './promotion-preview.tsx'
import { PromotionTerms } from './promotion-terms.tsx'
import { type PromotionsParams, promotionNoun, promotionsBreadcrumb } from './promotion-urls.ts'
import { PromotionUses } from './promotion-uses.tsx'
import { usePromotionActions } from './use-promotion-actions.ts'

type PromotionScreenProps = PromotionsParams & { promotionId: number | 'new' }

/** Creates a promotion, or shows one: its terms and its uses. */
export const PromotionScreen = (props: PromotionScreenProps) => {
  const { promotionId, ...params } = props
  const noun = promotionNoun(params)
  const trail = [promotionsBreadcrumb(params)]
  const { timeZone } = useStudio()
  if (promotionId !== 'new') return <ExistingPromotion {...{ params, trail, timeZone }} id={promotionId} />
  return (
    <StaffScreen title={`New ${noun}`} trail={trail}>
      <Panel title="Terms" lead="Saved terms apply to the next order at once.">
        <PromotionTerms {...{ params, timeZone }} promotion={null} />
      </Panel>
    </StaffScreen>
  )
}

type ExistingPromotionProps = {
  params: PromotionsParams
  trail: { label: string; href: string }[]
  timeZone: string
  id: number
}

const ExistingPromotion = ({ params, trail, timeZone, id }: ExistingPromotionProps) => {
  const { studioId } = params
  const query = useStaffQuery(getPromotion, { params: { studioId, id } })
  const actionsFor = usePromotionActions(params)
  const promotion = query.data
  return (
    <StaffScreen
      title={promotion?.code ?? 'Promotion'}
      trail={trail}
      lead={promotion && <PromotionStateBadge state={promotion.state} />}
      actions={
        promotion && (
          <Menu label={`Actions for ${promotion.code}`} icon={Ellipsis} align="end" items={actionsFor(promotion)} />
        )
      }
    >
      <QueryBoundary query={query}>
        {(saved) => (
          <>
            {saved.hasSingleUseCodes && (
              <Panel title="Single-use codes" lead={`Each is valid once. “${saved.code}” alone gives nothing.`}>
                <PromotionCodes {...{ studioId, timeZone }} promotion={saved} />
              </Panel>
            )}
            <Panel title="Uses" lead={usesSummary(saved)}>
              <PromotionUses {...{ studioId, timeZone }} promotionId={id} />
            </Panel>
            <Panel title="Terms" lead="Saved terms apply to the next order at once. Earlier orders are unchanged.">
              <PromotionTerms key={saved.id} {...{ params, timeZone }} promotion={saved} />
            </Panel>
            <Panel
              title="Preview"
              lead="What a cart would pay with the saved terms, on a day when they are valid. Automatic promotions that run now apply too."
            >
              <PromotionPreview {...{ params }} promotion={saved} />
            </Panel>
          </>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}

const usesSummary = ({ useCount, discountCents }: Promotion): string =>
  `${formatCount(useCount)} ${useCount === 1 ? 'use' : 'uses'}, ${formatMoney(discountCents)} in discounts. Cancelled orders don’t count.`
