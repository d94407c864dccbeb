import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { hundredthsOf } from '#client/staff/kit/form/hundredths.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import {
  type Promotion,
  type PromotionPreview as PromotionPreviewResult,
  previewPromotion,
} from '#contract/studio/promotions/promotions.ts'
import { maxPromotionCents, promotionDraftMessages } from '#domain/pricing/promotion-draft.ts'
import { Button, IconButton } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { Select } from '#ui/form/select.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { Price } from '#ui/price.tsx'
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
  const isValidAmount = Number.isInteger(amountCents) && amountCents >= 0 && amountCents <= maxPromotionCents
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
          <TextInput
            type="number"
            inputMode="decimal"
            step={0.01}
            value={cart.amount}
            onValue={(amount) => change({ amount })}
          />
        </Field>
        <Button type="submit" variant="secondary" loading={busy}>
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

const PreviewResult = ({ result }: { result: PromotionPreviewResult }) => {
  const { lines, goodsCents, discountCents, totalCents, why } = result
  return (
    <section role="status" aria-label="Price of the sample cart">
      {why && <Notice tone="attention">{why}</Notice>}
      <dl className={styles.sums}>
        {lines.map((line) => (
          <Sum key={line.packageId} name={`${line.quantity} × ${line.name}`} cents={line.cents - line.discountCents} />
        ))}
        <Sum name="Without the code" cents={goodsCents} />
        <Sum name="Discount" cents={-discountCents} />
        <Sum name="To pay, before shipping and tax" cents={totalCents} />
      </dl>
    </section>
  )
}

const Sum = ({ name, cents }: { name: string; cents: number }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <Price cents={cents} />
    </dd>
  </div>
)
