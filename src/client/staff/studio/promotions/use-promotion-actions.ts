import { useLocation } from 'wouter'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import {
  deletePromotion,
  duplicatePromotion,
  endPromotion,
  type Promotion,
} from '#contract/studio/promotions/promotions.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import type { MenuItem } from '#ui/popover/menu-entry.tsx'
import { toast } from '#ui/toast/toast.ts'
import { type PromotionsParams, promotionsUrl, promotionUrl } from './promotion-urls.ts'

/** The actions for a promotion besides editing it, as items of a menu. */
export const usePromotionActions = (params: PromotionsParams) => {
  const { studioId } = params
  const [, navigate] = useLocation()
  const duplicateMutation = useStaffMutation(duplicatePromotion)
  const endMutation = useStaffMutation(endPromotion)
  const deleteMutation = useStaffMutation(deletePromotion)
  const duplicate = async ({ id }: Promotion) => {
    const duplicated = await duplicateMutation.mutate({ params: { studioId, id }, body: {} })
    if (!duplicated.ok) return
    toast(`“${duplicated.data.code}” is a copy, and is off until you switch it on`)
    navigate(promotionUrl(params, duplicated.data.id))
  }
  const end = async ({ id, code }: Promotion) => {
    const message = 'Customers can no longer use it. Orders with its discount are unchanged.'
    if (!(await confirm({ title: `End “${code}” now?`, message, confirmText: 'End now', danger: true }))) return
    const ended = await endMutation.mutate({ params: { studioId, id }, body: {} })
    if (ended.ok) toast(`“${code}” has ended`)
  }
  const remove = async ({ id, code }: Promotion) => {
    const message = 'If a customer has used it, it ends instead, and its uses stay listed.'
    if (!(await confirm({ title: `Remove “${code}”?`, message, confirmText: 'Remove', danger: true }))) return
    const removed = await deleteMutation.mutate({ params: { studioId, id } })
    if (!removed.ok) return
    toast(removed.data.outcome === 'ended' ? `“${code}” has ended` : `“${code}” was removed`)
    navigate(promotionsUrl(params))
  }
  return (promotion: Promotion): readonly (MenuItem | 'separator')[] => [
    { label: 'Duplicate', onSelect: () => void duplicate(promotion) },
    { label: 'End now', disabled: promotion.state === 'ended', onSelect: () => void end(promotion) },
    'separator',
    { label: 'Remove', danger: true, onSelect: () => void remove(promotion) },
  ]
}
