import { useLocation } from 'wouter'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { useRecordForm } from '#client/staff/kit/form/use-record-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import {
  getPromotion,
  type Promotion,
  postJobPromotion,
  postPromotion,
  putPromotion,
} from '#contract/studio/promotions/promotions.ts'
import { PromotionFields } from './promotion-fields.tsx'
import {
  newPromotion,
  type PromotionForm,
  promotionFormRules,
  promotionLabels,
  toPromotionDraft,
  toPromotionForm,
} from './promotion-form.ts'
import { type PromotionsParams, promotionUrl } from './promotion-urls.ts'

type PromotionTermsProps = {
  params: PromotionsParams
  /** Null creates a promotion. */
  promotion: Promotion | null
  timeZone: string
}

type FormRecord = Promotion | typeof newPromotion

const useSavePromotion = ({ params, promotion }: Omit<PromotionTermsProps, 'timeZone'>) => {
  const { studioId, job } = params
  const post = useStaffMutation(postPromotion)
  const postInJob = useStaffMutation(postJobPromotion)
  const put = useStaffMutation(putPromotion)
  return ({ values, version }: { values: PromotionForm; version: number }) => {
    const body = toPromotionDraft(values)
    const options = { onError: 'silent' } as const
    if (promotion) return put.mutate({ params: { studioId, id: promotion.id }, body: { ...body, version } }, options)
    if (job) return postInJob.mutate({ params: { studioId, jobId: job.jobId }, body }, options)
    return post.mutate({ params: { studioId }, body }, options)
  }
}

/** Edits the terms of a promotion, or creates one. */
export const PromotionTerms = ({ params, promotion, timeZone }: PromotionTermsProps) => {
  const { studioId, job } = params
  const [, navigate] = useLocation()
  const edit = useRecordForm<PromotionForm, FormRecord>({
    name: `promotion ${studioId} ${promotion?.id ?? `new ${job?.jobId ?? ''}`}`,
    record: promotion ?? newPromotion,
    toVersionedValues: (record) => ({ values: toPromotionForm(record), version: record.version }),
    rules: promotionFormRules,
    save: useSavePromotion({ params, promotion }),
    read: () => authorizedRequest(getPromotion, { params: { studioId, id: promotion?.id ?? 0 } }),
    onSaved: (saved) => {
      if (!promotion && 'id' in saved) navigate(promotionUrl(params, saved.id), { replace: true })
    },
  })
  return (
    <EditForm edit={edit} labels={promotionLabels} saveText={promotion ? 'Save' : 'Create'}>
      <PromotionFields {...{ params, timeZone }} isNew={promotion === null} />
    </EditForm>
  )
}
