import { useState } from 'react'
import { Link } from 'wouter'
import { DownloadButton } from '#client/staff/kit/download/download-button.tsx'
import { saveFile } from '#client/staff/kit/download/download-file.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { orderUrl } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount, formatDay } from '#client/staff/kit/screen/format.ts'
import type { Promotion } from '#contract/studio/promotions/promotions.ts'
import {
  listPromotionCodes,
  type PromotionCode,
  postPromotionCodes,
} from '#contract/studio/promotions/single-use-codes.ts'
import { maxCodesAtOnce } from '#domain/pricing/promotion-draft.ts'
import { toPage } from '#domain/shared/paging.ts'
import { parseNumber } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './promotions.module.css'

type PromotionCodesProps = { studioId: number; promotion: Promotion; timeZone: string }

const codesCsv = async (codes: readonly PromotionCode[], timeZone: string): Promise<string> => {
  const { default: papaparse } = await import('papaparse')
  const rows = codes.map(({ code, usedAt, orderNumber }) => ({
    Code: code,
    Used: usedAt === null ? '' : formatDay(usedAt, timeZone),
    Order: orderNumber ?? '',
  }))
  return papaparse.unparse(rows, { escapeFormulae: true })
}

const maxListedCodes = 10

type FirstCodesProps = { studioId: number; id: number; codeCount: number; timeZone: string }

const codeColumns = ({ studioId, timeZone }: FirstCodesProps): readonly Column<PromotionCode>[] => [
  { id: 'code', header: 'Code', isOneLine: true, cell: ({ code }) => code },
  {
    id: 'used',
    header: 'Used',
    isOneLine: true,
    cell: ({ usedAt }) => (usedAt === null ? 'Not used' : formatDay(usedAt, timeZone)),
  },
  {
    id: 'order',
    header: 'Order',
    isOneLine: true,
    cell: ({ orderNumber, jobId }) =>
      orderNumber !== null && jobId !== null ? (
        <Link href={orderUrl({ studioId, jobId }, orderNumber)}>{orderNumber}</Link>
      ) : null,
  },
]

/** The first codes with the orders that used them. */
const FirstCodes = (props: FirstCodesProps) => {
  const { studioId, id, codeCount } = props
  const { data } = useStaffQuery(listPromotionCodes, {
    params: { studioId, id },
    query: { currentPage: 1, pageSize: maxListedCodes },
  })
  if (!data) return null
  const hiddenCount = codeCount - maxListedCodes
  return (
    <div>
      <DataTable
        label="First codes"
        columns={codeColumns(props)}
        rows={toPage(data).resultItems}
        idOf={({ code }) => code}
        nameOf={({ code }) => code}
        isReadOnly
      />
      {hiddenCount > 0 && (
        <p className={styles.soft}>The download also has the other {formatCount(hiddenCount)}, and which are used.</p>
      )}
    </div>
  )
}

/** The single-use codes of a promotion: generates and lists them, and downloads them with their orders. */
export const PromotionCodes = ({ studioId, promotion, timeZone }: PromotionCodesProps) => {
  const { id, code, codeCount } = promotion
  const params = { studioId, id }
  const { mutate, busy } = useStaffMutation(postPromotionCodes)
  const [count, setCount] = useState('')
  const [errors, setErrors] = useState<readonly string[]>([])
  const generate = async () => {
    const generated = await mutate({ params, body: { count: parseNumber(count) || 0 } }, { onError: 'silent' })
    setErrors(generated.ok ? [] : generated.errors)
    if (generated.ok) toast(`“${code}” has ${formatCount(generated.data.codeCount)} codes`)
  }
  const download = async () => {
    const codes = await authorizedRequest(listPromotionCodes, { params })
    if (!codes.ok) return codes.errors
    const csv = await codesCsv(toPage(codes.data).resultItems, timeZone)
    saveFile(new Blob([csv], { type: 'text/csv' }), `${code}-codes.csv`)
    return undefined
  }
  return (
    <>
      <Form onSubmit={() => void generate()} aria-label="Single-use codes" className={styles.generate}>
        <Field label="How many more" hint={`Up to ${maxCodesAtOnce} at once`} errors={errors}>
          <TextInput type="number" step={1} value={count} onValue={setCount} />
        </Field>
        <Button type="submit" variant="secondary" loading={busy}>
          Generate codes
        </Button>
      </Form>
      {codeCount > 0 && <FirstCodes {...{ studioId, id, codeCount, timeZone }} />}
      {codeCount > 0 && (
        <DownloadButton className={styles.download} onDownload={download}>
          Download {formatCount(codeCount)} {codeCount === 1 ? 'code' : 'codes'} (CSV)
        </DownloadButton>
      )}
    </>
  )
}
