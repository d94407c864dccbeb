import { useState } from 'react'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import type { Promotion } from '#contract/studio/promotions/promotions.ts'
import {
  listPromotionCodes,
  type PromotionCode,
  postPromotionCodes,
} from '#contract/studio/promotions/single-use-codes.ts'
import { maxCodesAtOnce } from '#domain/pricing/promotion-draft.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { toPage } from '#domain/shared/paging.ts'
import { parseNumber } from '#domain/shared/validators.ts'
import { wallClock } from '#domain/shared/wall-clock.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { toast, toastError } from '#ui/toast/toast.ts'

type PromotionCodesProps = { studioId: number; promotion: Promotion; timeZone: string }

const codesCsv = async (codes: readonly PromotionCode[], timeZone: string): Promise<string> => {
  const { default: papaparse } = await import('papaparse')
  const rows = codes.map(({ code, usedAt, orderNumber }) => ({
    Code: code,
    Used: usedAt === null ? '' : formatDate(wallClock(usedAt, timeZone).slice(0, 10)),
    Order: orderNumber ?? '',
  }))
  return papaparse.unparse(rows, { escapeFormulae: true })
}

const saveFile = (name: string, text: string): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** The single-use codes of a promotion: generates them, and downloads them with their orders. */
export const PromotionCodes = ({ studioId, promotion, timeZone }: PromotionCodesProps) => {
  const { id, code, codeCount } = promotion
  const params = { studioId, id }
  const { mutate, busy } = useStaffMutation(postPromotionCodes)
  const [count, setCount] = useState('100')
  const [errors, setErrors] = useState<readonly string[]>([])
  const [isDownloading, setDownloading] = useState(false)
  const generate = async () => {
    const generated = await mutate({ params, body: { count: parseNumber(count) || 0 } }, { onError: 'silent' })
    setErrors(generated.ok ? [] : generated.errors)
    if (generated.ok) toast(`“${code}” has ${formatCount(generated.data.codeCount)} codes`)
  }
  const download = async () => {
    setDownloading(true)
    const codes = await authorizedRequest(listPromotionCodes, { params })
    if (codes.ok) saveFile(`${code}-codes.csv`, await codesCsv(toPage(codes.data).resultItems, timeZone))
    else toastError(codes.errors)
    setDownloading(false)
  }
  return (
    <>
      <Form onSubmit={() => void generate()} aria-label="Single-use codes">
        <Field label="How many more" hint={`Up to ${maxCodesAtOnce} at once`} errors={errors}>
          <TextInput type="number" step={1} value={count} onValue={setCount} />
        </Field>
        <Button type="submit" variant="secondary" loading={busy}>
          Generate codes
        </Button>
      </Form>
      {codeCount > 0 && (
        <Button variant="secondary" loading={isDownloading} onClick={() => void download()}>
          Download {formatCount(codeCount)} {codeCount === 1 ? 'code' : 'codes'} (CSV)
        </Button>
      )}
    </>
  )
}
