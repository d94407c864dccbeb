import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import TicketPercent from 'lucide-react/icons/ticket-percent'
import { ListFilter, optionsOf } from '#client/staff/kit/list/list-filter.tsx'
import { isListEmpty, ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { listJobPromotions, listPromotions, type Promotion } from '#contract/studio/promotions/promotions.ts'
import { promotionStateNames, promotionStates } from '#domain/pricing/promotion-draft.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import { promotionColumns } from './promotion-columns.tsx'
import { type PromotionsParams, promotionNoun, promotionUrl } from './promotion-urls.ts'
import { usePromotionActions } from './use-promotion-actions.ts'

const stateOptions = [{ value: '', label: 'All states' }, ...optionsOf(promotionStateNames)]

const usePromotionList = ({ studioId, job }: PromotionsParams) => {
  const list = useList(['state'])
  const state = promotionStates.find((name) => name === list.filters.state)
  const listQuery = { ...list.query, state }
  const ofStudio = useStaffQuery(listPromotions, {
    params: { studioId },
    query: { ...listQuery, type: 'coupon-code' },
    enabled: job === undefined,
  })
  const ofJob = useStaffQuery(listJobPromotions, {
    params: { studioId, jobId: job?.jobId ?? 0 },
    query: listQuery,
    enabled: job !== undefined,
  })
  return { list, query: job ? ofJob : ofStudio }
}

/** The coupon codes of a studio, or the promotions of a job, with their uses. */
export const PromotionsScreen = (params: PromotionsParams) => {
  const { list, query } = usePromotionList(params)
  const actionsFor = usePromotionActions(params)
  const noun = promotionNoun(params)
  const urlOf = ({ id }: Promotion) => promotionUrl(params, id)
  const addButton = (
    <ButtonLink icon={Plus} href={promotionUrl(params, 'new')}>
      New {noun}
    </ButtonLink>
  )
  const columns = [
    ...promotionColumns(urlOf),
    {
      id: 'actions',
      header: 'Actions',
      cell: (promotion: Promotion) => (
        <Menu
          label={`Actions for ${promotion.code}`}
          icon={Ellipsis}
          align="end"
          items={[{ label: 'Edit', href: urlOf(promotion) }, ...actionsFor(promotion)]}
        />
      ),
    },
  ]
  const [title, lead] = params.job
    ? ['Promotions', 'For this job only. Your studio’s coupon codes work here too.']
    : ['Coupon codes', 'These work in every job. For one job only, use its Promotions.']
  return (
    <StaffScreen title={title} lead={<p>{lead}</p>} actions={!isListEmpty(list, query) && addButton}>
      <ListScreen
        label={title}
        searchPlaceholder="Code or name"
        list={list}
        query={query}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={({ code }) => code}
        filters={<ListFilter list={list} name="state" label="State" options={stateOptions} />}
        empty={
          <EmptyState icon={TicketPercent} title={`No ${noun}s yet`} action={addButton}>
            <p>Customers enter a code at checkout, or get a percentage or an amount off automatically.</p>
          </EmptyState>
        }
      />
    </StaffScreen>
  )
}
