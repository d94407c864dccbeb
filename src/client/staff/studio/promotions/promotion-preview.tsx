import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { hundredthsInput, hundredthsOf } from '#client/staff/kit/form/hundredths.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type SumRow, SumTable } from '#client/staff/kit/screen/sum-table.tsx'
import {
  type Promotion,
  type PromotionPreview as PromotionPreviewResult,
  previewPromotion,
} from '#contract/studio/promotions/promotions.ts'
import { promotionDraftMessages } from '#domain/pricing/promotion-draft.ts'
import { maxAmountCents } from '#domain/studio/rates.ts'
import { Button, IconButton } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { Select } from '#ui/form/select.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import type { PromotionsParams } from './promotion-urls.ts'
import styles from './promotions.module.css'
import { packageLabel, usePromotionPackages } from './use-promotion-packages.ts'

type PromotionPreviewProps = { params: PromotionsParams; promotion: Promotion }

type SampleCart = { amount: string; packages: readonly { packageId: number; quantity: number }[] }

const maxQuantity = 99

/** Computes what a sample cart would pay with the saved terms. */
export const PromotionPreview = ({ params, promotion }: PromotionPreviewProps) => {
  const [cart, setCart] = useState<SampleCart>({ amount: '50.00', packages: [] })
  const { mutate, busy } = useStaffMutation(previewPromotion)
  const [result, setResult] = useState<PromotionPreviewResult | null>(null)
  const amountCents = hundredthsOf(cart.amount) ?? 0
  const isValidAmount = Number.isInteger(amountCents) && amountCents >= 0 && amountCents <= maxAmountCents
  const change = (changed: Partial<SampleCart>) => {
    setCart({ ...cart, ...changed })
    setResult(null)
  }
  const showPrice = async () => {
    if (!isValidAmount) return
    const { studioId } = params
    const body = { amountCents, packages: [...cart.packages] }
    const preview = await mutate({ params: { studioId, id: promotion.id }, body })
    if (preview.ok) setResult(preview.data)
  }
  return (
    <>
      <Form onSubmit={() => void showPrice()} aria-label="Sample cart">
        <SamplePackages {...{ params, cart, change }} />
        <Field
          label="Anything else, $"
          hint="Other packages and services"
          errors={isValidAmount ? undefined : [promotionDraftMessages.minimum]}
        >
          <TextInput {...hundredthsInput} value={cart.amount} onValue={(amount) => change({ amount })} />
        </Field>
        <Button type="submit" variant="secondary" className={styles.show} loading={busy}>
          Show the price
        </Button>
      </Form>
      {result && <PreviewResult result={result} />}
    </>
  )
}

type SamplePackagesProps = {
  params: PromotionsParams
  cart: SampleCart
  change: (changed: Partial<SampleCart>) => void
}

const SamplePackages = ({ params, cart: { packages }, change }: SamplePackagesProps) => {
  const offered = usePromotionPackages(params)
  const isChosen = (id: number) => packages.some(({ packageId }) => packageId === id)
  const addable = offered.filter(({ id }) => !isChosen(id))
  const remove = (id: number) => change({ packages: packages.filter(({ packageId }) => packageId !== id) })
  const setQuantity = (id: number, quantity: number) =>
    change({ packages: packages.map((line) => (line.packageId === id ? { ...line, quantity } : line)) })
  return (
    <>
      {packages.length > 0 && (
        <ul className={styles.sampleLines}>
          {packages.map(({ packageId, quantity }) => {
            const name = offered.find(({ id }) => id === packageId)?.name ?? 'Package'
            return (
              <li key={packageId}>
                <Field label={`Quantity of ${name}`}>
                  <TextInput
                    type="number"
                    min={1}
                    max={maxQuantity}
                    value={String(quantity)}
                    onValue={(text) => setQuantity(packageId, Math.min(Math.max(Number(text) || 1, 1), maxQuantity))}
                  />
                </Field>
                <IconButton icon={X} label={`Remove ${name}`} onClick={() => remove(packageId)} />
              </li>
            )
          })}
        </ul>
      )}
      {addable.length > 0 && (
        <Field label="Add a package" optional>
          <Select
            value=""
            placeholder="Choose a package"
            options={addable.map((row) => ({ value: String(row.id), label: packageLabel(row) }))}
            onValue={(id) => change({ packages: [...packages, { packageId: Number(id), quantity: 1 }] })}
          />
        </Field>
      )}
    </>
  )
}

const previewRows = ({ lines, goodsCents, promotions, totalCents }: PromotionPreviewResult): SumRow[] => [
  ...lines.map((line) => ({
    id: `package ${line.packageId}`,
    label: `${line.quantity} × ${line.name}`,
    cents: line.cents - line.discountCents,
  })),
  { label: 'Without a discount', cents: goodsCents },
  ...promotions.map(({ code, discountCents }) => ({ label: `Discount (${code})`, cents: -discountCents })),
  { label: 'To pay, before shipping and tax', cents: totalCents, isTotal: true },
]

const PreviewResult = ({ result }: { result: PromotionPreviewResult }) => (
  <section role="status" aria-label="Price of the sample cart">
    {result.why && <Notice tone="attention">{result.why}</Notice>}
    <SumTable label="Price" rows={previewRows(result)} />
  </section>
)
