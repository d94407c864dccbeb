import { useId } from 'react'
import { useController } from 'react-hook-form'
import type { PackageRow } from '#contract/studio/package-sets.ts'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { type PromotionForm, promotionLabels } from './promotion-form.ts'
import type { PromotionsParams } from './promotion-urls.ts'
import styles from './promotions.module.css'
import { packageLabel, usePromotionPackages } from './use-promotion-packages.ts'

/** The packages with their labels, and those of the promotion that are no longer offered. */
const choicesOf = (offered: readonly PackageRow[], chosenIds: readonly number[]) => {
  const isOffered = (id: number) => offered.some((row) => row.id === id)
  const otherIds = offered.length === 0 ? [] : chosenIds.filter((id) => !isOffered(id))
  return [
    ...offered.map((row) => ({ id: row.id, label: packageLabel(row) })),
    ...otherIds.map((id) => ({ id, label: `Package ${id}, no longer offered` })),
  ]
}

/** Chooses the packages that a promotion applies to. */
export const PromotionPackages = ({ params }: { params: PromotionsParams }) => {
  const { field, fieldState } = useController<PromotionForm, 'packageIds'>({ name: 'packageIds' })
  const errorId = useId()
  const offered = usePromotionPackages(params)
  const chosenIds = field.value
  const choose = (id: number, isChosen: boolean) =>
    field.onChange(isChosen ? [...chosenIds, id] : chosenIds.filter((chosenId) => chosenId !== id))
  const message = fieldState.error?.message
  return (
    <fieldset className={styles.packages} aria-describedby={message ? errorId : undefined}>
      <legend>{promotionLabels.packageIds}</legend>
      {choicesOf(offered, chosenIds).map(({ id, label }) => (
        <Checkbox
          key={id}
          label={label}
          checked={chosenIds.includes(id)}
          onValue={(isChosen) => choose(id, isChosen)}
        />
      ))}
      <div id={errorId} className={styles.error} aria-live="polite">
        {message}
      </div>
    </fieldset>
  )
}
